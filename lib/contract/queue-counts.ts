/**
 * Counts of one queue, by time and not by stored state: a delayed job that is due and a reservation that has expired
 * are ready. null where the backend cannot know. A signal to watch, not to branch on.
 *
 * @publicApi
 */
export interface QueueCounts {
  readonly ready: number;
  readonly delayed: number | null;
  readonly reserved: number | null;
  readonly failed: number | null;
  /**
   * Age in seconds of the ready job that has waited longest, null without one: since its push, its release, the end of
   * its delay or of its lease.
   */
  readonly oldestReadySeconds: number | null;
  /** True while the queue is paused for all workers. */
  readonly paused: boolean;
}
