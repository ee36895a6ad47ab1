import { DEFERRED_RANK, MAX_PRIORITY, MIN_PRIORITY } from '../../../contract/index.js';

/** The priority of a header as it was read: what cannot be used counts as 0, what newer code may allow as the nearest. */
function usable(priority: unknown): number {
  if (typeof priority !== 'number' || Number.isNaN(priority)) return 0;
  return Math.min(MAX_PRIORITY, Math.max(MIN_PRIORITY, priority));
}

/**
 * The priority that a message is published with: −100…100 evenly over the levels 0…`maxPriority` − 1, and level
 * `maxPriority`, above all of them, for the round after a deferral. Undefined where the queues have no levels: quorum
 * queues of RabbitMQ 4 would read a priority in a way of their own.
 */
export function levelOf(
  { rank, priority }: { readonly rank?: unknown; readonly priority?: unknown },
  maxPriority: number | null,
): number | undefined {
  if (maxPriority === null) return undefined;
  if (rank === DEFERRED_RANK) return maxPriority;
  const share = (usable(priority) - MIN_PRIORITY) / (MAX_PRIORITY - MIN_PRIORITY);
  return Math.round(share * (maxPriority - 1));
}
