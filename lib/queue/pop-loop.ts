import type { QueueBackend } from '../contract/index.js';
import type { ReserveAnswer, Receiver } from './receiver.js';

export interface NextOptions {
  /** How many deliveries are wanted at most. */
  readonly limit: number;
  /** How long to keep looking, in milliseconds; Infinity for no deadline. Bounds the looking, not the return. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called before each request that may reserve something: a lease begins no sooner. */
  readonly asking?: () => void;
}

/**
 * Looks for work until there is some: a sweep of every queue in order, then, when it was empty, a wait that the backend
 * may end early. The list has been checked. Resolves with nothing at the deadline or when the signal aborts; what was reserved by then is returned.
 */
export async function nextDeliveries(
  backend: QueueBackend,
  receiver: Receiver,
  queues: readonly string[],
  options: NextOptions,
): Promise<ReserveAnswer[]> {
  if (queues.length === 0) return [];
  const { limit, signal, asking } = options;
  const deadline = performance.now() + options.timeoutMs;
  while (!signal.aborted) {
    asking?.();
    const swept = await receiver.accept(await backend.reserve(queues, limit));
    if (swept.length > 0) return swept;
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0 || signal.aborted) return [];
    asking?.();
    const received = await receiver.accept(await backend.waitForWork(queues, { timeoutMs, limit, signal }));
    if (received.length > 0) return received;
  }
  return [];
}
