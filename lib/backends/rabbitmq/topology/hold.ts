import { describe, InvalidQueueArgumentException } from '../../../contract/index.js';
import { MAX_HOLD_MS } from './broker-limits.js';
import { durableQueue, type QueueDeclaration } from './declarations.js';
import { holdQueueName } from './names.js';
import { deadLetterArguments, typeArguments } from './queue-arguments.js';

/** The longest delay in milliseconds that a granularity leaves: its last multiple that a hold queue can have. */
export function longestHoldMs(granularityMs: number): number {
  return Math.floor(MAX_HOLD_MS / granularityMs) * granularityMs;
}

/** A product of seconds may miss the whole milliseconds that were meant by this much, far below what any clock tells. */
const ROUNDING_ERROR_MS = 1e-6;

/**
 * The time to live of the hold queue for a delay: the next multiple of the granularity, at least one. Throws
 * `InvalidQueueArgumentException` for one that no hold queue can have; a delay is never cut.
 */
export function holdTtlMs(delaySeconds: number, granularityMs: number): number {
  const delayMs = delaySeconds * 1_000;
  // Without this 16.1 s in steps of 100 ms would be 16.2 s, and the longest delay too long.
  const wholeMs = Math.max(Math.ceil(delayMs - ROUNDING_ERROR_MS), delayMs > 0 ? 1 : 0);
  const ttlMs = Math.ceil(wholeMs / granularityMs) * granularityMs;
  if (ttlMs >= granularityMs && ttlMs <= MAX_HOLD_MS) return ttlMs;
  throw new InvalidQueueArgumentException(
    `Expected a delay above 0 and of at most ${longestHoldMs(granularityMs) / 1_000} seconds (a hold queue expires ` +
      `after twice its time), came ${describe(delaySeconds)}. Push the job later, or give rabbitmq() ` +
      "`delays: 'ladder'`, which bears some 48 days.",
  );
}

/**
 * The queue where messages of a queue wait that are all `ttlMs` away from being ready; unused for twice as long it goes
 * away. All of it follows from its name: two processes with different options must never declare one name in two ways.
 * To be declared before each publish, which begins its expiry anew.
 *
 * Always classic: a declaration is no use of a quorum queue, which would expire under the jobs that keep coming.
 */
export function holdQueue(workQueue: string, ttlMs: number): QueueDeclaration {
  if (!Number.isInteger(ttlMs) || ttlMs < 1 || ttlMs > MAX_HOLD_MS) {
    throw new InvalidQueueArgumentException(
      `Expected the time to live of a hold queue to be 1 to ${MAX_HOLD_MS} whole milliseconds, came ${describe(ttlMs)}.`,
    );
  }
  return durableQueue(holdQueueName(workQueue, ttlMs), {
    ...typeArguments('classic'),
    'x-message-ttl': ttlMs,
    // Above the time to live: an expiring queue takes what it holds with it.
    'x-expires': 2 * ttlMs,
    ...deadLetterArguments('classic', { exchange: '', routingKey: workQueue }),
  });
}
