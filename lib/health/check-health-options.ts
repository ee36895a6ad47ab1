import { assertQueueName, describe, InvalidQueueArgumentException } from '../contract/index.js';
import type { BacklogCheckOptions } from './queue-health-options.js';

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export function checkTimeoutMs(timeoutMs: number, what: string): void {
  if (Number.isFinite(timeoutMs) && timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS) return;
  throw new InvalidQueueArgumentException(
    `${what}: timeoutMs: expected a number above 0 and at most ${LONGEST_TIMEOUT_MS}, came ${describe(timeoutMs)}.`,
  );
}

/** A check without a limit would always be up: refused, like a limit that nothing can be compared with. */
export function checkBacklogOptions(options: BacklogCheckOptions, what: string): void {
  assertQueueName(options.queue, `${what}: queue`);
  const { maxWaiting, maxOldestSeconds } = options;
  if (maxWaiting === undefined && maxOldestSeconds === undefined) {
    throw new InvalidQueueArgumentException(
      `${what}: expected maxWaiting or maxOldestSeconds, came neither. Name the limit above which the queue is down.`,
    );
  }
  checkLimit(maxWaiting, `${what}: maxWaiting`);
  checkLimit(maxOldestSeconds, `${what}: maxOldestSeconds`);
}

function checkLimit(limit: number | undefined, what: string): void {
  if (limit === undefined || (Number.isFinite(limit) && limit >= 0)) return;
  throw new InvalidQueueArgumentException(
    `${what}: expected a finite number of 0 or more, came ${describe(limit)}.`,
  );
}
