import {
  assertMetadata,
  type ChainStep,
  encodeBody,
  InvalidQueueArgumentException,
  JobDeclarationException,
  newHeader,
  MAX_BODY_BYTES,
  type NewJob,
  type PushSpan,
  type QueueBackend,
  UnserializableJobException,
} from '../contract/index.js';
import { encodeArguments, jobDefinitionOf, uniqueKeyOf } from '../jobs/index.js';
import type { JobDefinition, JobInstance } from '../jobs/index.js';
import { carrierOf } from './carrier.js';
import { checkBackendCan, checkPushOptions } from './check-push-options.js';
import { newId } from './new-id.js';
import type { PushOptions } from './push-options.js';
import { hashUniqueKey } from './unique-key.js';

/** A push after every check: nothing is serialized yet. */
export interface CheckedPush {
  readonly job: JobInstance;
  readonly definition: JobDefinition;
  readonly id: string;
  readonly queue: string;
  readonly delaySeconds: number;
  readonly maxAttempts: number | null;
  readonly priority: number;
  readonly uniqueKey: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The definition of what was handed to a push, or a refusal of what is no job. */
export function definitionOfPushed(job: unknown, what: string): JobDefinition {
  try {
    return jobDefinitionOf(job);
  } catch (error) {
    if (!(error instanceof JobDeclarationException)) throw error;
    throw new InvalidQueueArgumentException(`${what}: ${error.message}`, { cause: error });
  }
}

/** Every check of a push, before telemetry, serialization and I/O. */
export function checkPush(
  job: JobInstance,
  definition: JobDefinition,
  options: PushOptions,
  captured: Readonly<Record<string, string>>,
  backend: QueueBackend,
  what: string,
): CheckedPush {
  checkPushOptions(options, what);
  const key = options.uniqueKey ?? uniqueKeyOf(job);
  const metadata = { ...captured, ...options.metadata };
  assertMetadata(metadata, `${what}: metadata`);
  const checked: CheckedPush = {
    job,
    definition,
    id: newId(),
    queue: options.queue ?? definition.queue,
    delaySeconds: options.delaySeconds ?? 0,
    maxAttempts: options.maxAttempts === undefined ? definition.maxAttempts : options.maxAttempts,
    priority: options.priority ?? definition.priority,
    uniqueKey: key === null ? null : hashUniqueKey(key),
    metadata,
  };
  const demands = {
    delaySeconds: checked.delaySeconds,
    priority: checked.priority,
    unique: key !== null,
    transactional: options.transaction !== undefined,
  };
  checkBackendCan(demands, backend, what);
  return checked;
}

/**
 * Serializes a checked push, with the steps of a chain that come after it. Throws `UnserializableJobException`; nothing
 * was sent by then.
 */
export function encodePush(
  push: CheckedPush,
  span: PushSpan | null,
  chain: readonly ChainStep[] = [],
): NewJob {
  const { definition } = push;
  const body = encodeBody({
    id: push.id,
    pushedAt: new Date().toISOString(),
    class: definition.name,
    args: encodeArguments(definition, push.job),
    maxAttempts: push.maxAttempts,
    metadata: { ...carrierOf(span), ...push.metadata },
    chain,
  });
  assertBodyFits(body, definition.name);
  return {
    id: push.id,
    queue: push.queue,
    delaySeconds: push.delaySeconds,
    header: newHeader({
      leaseSeconds: definition.leaseSeconds,
      priority: push.priority,
      uniqueKey: push.uniqueKey,
    }),
    body,
  };
}

/** What the decoder would take for malformed is not stored in the first place. */
function assertBodyFits(body: string, name: string): void {
  // A character is at most three bytes.
  if (body.length * 3 <= MAX_BODY_BYTES) return;
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_BODY_BYTES) return;
  throw new UnserializableJobException(
    `Job ${name}: expected at most ${MAX_BODY_BYTES} bytes of arguments, metadata and the rest of the chain, came ` +
      `${bytes}. Store large data elsewhere and pass a reference.`,
  );
}
