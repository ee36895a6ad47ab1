import {
  assertDelaySeconds,
  assertMaxAttempts,
  assertMetadata,
  assertPriority,
  assertQueueName,
  assertUniqueKey,
  describe,
  InvalidQueueArgumentException,
  type QueueBackend,
} from '../contract/index.js';
import type { PushOptions } from './push-options.js';
import { sentence } from './sentence.js';

const KNOWN: ReadonlySet<string> = new Set([
  'queue',
  'delaySeconds',
  'maxAttempts',
  'priority',
  'uniqueKey',
  'metadata',
  'transaction',
] satisfies (keyof PushOptions)[]);

/** Refuses what is wrong in itself, whatever the backend. `undefined` counts as left out. */
export function checkPushOptions(options: PushOptions, what: string): void {
  if (typeof options !== 'object' || options === null) {
    throw new InvalidQueueArgumentException(
      `${what}: expected an object of options, came ${describe(options)}.`,
    );
  }
  for (const key of Object.keys(options)) {
    if (!KNOWN.has(key)) {
      throw new InvalidQueueArgumentException(
        `${what}: unknown option "${key}". Known: ${[...KNOWN].join(', ')}.`,
      );
    }
  }
  if (options.queue !== undefined) assertQueueName(options.queue, `${what}: queue`);
  if (options.delaySeconds !== undefined) assertDelaySeconds(options.delaySeconds, `${what}: delaySeconds`);
  if (options.maxAttempts !== undefined) assertMaxAttempts(options.maxAttempts, `${what}: maxAttempts`);
  if (options.priority !== undefined) assertPriority(options.priority, `${what}: priority`);
  if (options.uniqueKey !== undefined) assertUniqueKey(options.uniqueKey, `${what}: uniqueKey`);
  if (options.metadata !== undefined) assertMetadata(options.metadata, `${what}: metadata`);
}

/** What a push asks of a backend, after defaults. */
export interface PushDemands {
  readonly delaySeconds: number;
  readonly priority: number;
  readonly unique: boolean;
  readonly transactional: boolean;
}

/**
 * Refuses what this backend cannot do. A backend that runs the job in the push itself (sync) accepts everything but a
 * transaction: there is nothing to wait for, to order or to keep apart.
 */
export function checkBackendCan(
  demands: PushDemands,
  { driver, capabilities, whyNot }: Pick<QueueBackend, 'driver' | 'capabilities' | 'whyNot'>,
  what: string,
): void {
  if (demands.transactional && !capabilities.transactionalPush) {
    throw lacks(what, 'transaction', driver, 'join a transaction of the application');
  }
  if (!capabilities.delivers) return;
  if (demands.delaySeconds > capabilities.maxPushDelaySeconds) {
    throw new InvalidQueueArgumentException(
      `${what}: delaySeconds: expected at most ${capabilities.maxPushDelaySeconds} on the backend "${driver}", ` +
        `came ${demands.delaySeconds}.`,
    );
  }
  if (demands.priority !== 0 && capabilities.priorityLevels === 'none') {
    throw lacks(what, 'priority', driver, 'order jobs by priority', whyNot?.priority);
  }
  if (demands.unique && !capabilities.unique) {
    throw lacks(what, 'uniqueKey', driver, 'refuse duplicates');
  }
}

function lacks(
  what: string,
  option: string,
  driver: string,
  ability: string,
  because?: string,
): InvalidQueueArgumentException {
  return new InvalidQueueArgumentException(
    `${what}: ${option}: the backend "${driver}" cannot ${ability}. ${sentence(because)}Leave the option out, or ` +
      'use a connection that can.',
  );
}
