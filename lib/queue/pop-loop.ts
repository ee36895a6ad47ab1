import type { QueueBackend } from '../contract/index.js';
import type { ReserveAnswer, Receiver } from './receiver.js';

export interface NextOptions {
  /** How many deliveries are wanted at most. */
  readonly limit: number;
  /** How long to keep looking, in milliseconds; Infinity for no deadline. Bounds the looking, not the return. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What was found, and when the request that found it was sent, by `performance.now()`: no lease began sooner. */
export interface Deliveries {
  readonly answers: readonly ReserveAnswer[];
  readonly askedAt: number;
}

/**
 * Looks for work until there is some: a sweep of every queue in order, then, when it was empty, a wait that the backend
 * may end early. The list has been checked. Resolves with nothing at the deadline or when the signal aborts; what was
 * reserved by then is returned.
 */
export async function nextDeliveries(
  backend: QueueBackend,
  receiver: Receiver,
  queues: readonly string[],
  options: NextOptions,
): Promise<Deliveries> {
  const { limit, signal } = options;
  let askedAt = performance.now();
  if (queues.length === 0) return { answers: [], askedAt };
  const deadline = askedAt + options.timeoutMs;
  while (!signal.aborted) {
    const swept = await receiver.accept(await backend.reserve(queues, limit));
    if (swept.length > 0) return { answers: swept, askedAt };
    askedAt = performance.now();
    const timeoutMs = deadline - askedAt;
    if (timeoutMs <= 0 || signal.aborted) break;
    const received = await receiver.accept(await backend.waitForWork(queues, { timeoutMs, limit, signal }));
    if (received.length > 0) return { answers: received, askedAt };
    askedAt = performance.now();
  }
  return { answers: [], askedAt };
}
