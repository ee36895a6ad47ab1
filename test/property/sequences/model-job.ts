import type { QueuedJob } from '../../../lib/contract/index.js';

/**
 * Where a waiting job stands among those of its rank.
 * - `fresh`: pushed without a delay and never delivered: in the order of pushes.
 * - `returned`: released at once: before every fresh one, where the backend keeps places.
 * - `anywhere`: it was delayed, lost or retried: the contract does not say.
 */
export type Place = 'fresh' | 'returned' | 'anywhere';

/** What the contract says of one job that was pushed. */
export interface ModelJob {
  readonly id: string;
  readonly queue: string;
  readonly text: string;
  readonly priority: number;
  readonly key: string | null;
  readonly leaseUnits: number;
  readonly maxAttempts: number;
  /** In the order of pushes. */
  readonly order: number;
  state: 'waiting' | 'held' | 'failed' | 'gone';
  /** Of a waiting job: when it is ready. Of a held one: when its lease ends, Infinity where there are no leases. */
  dueAt: number;
  place: Place;
  rank: number;
  attempts: number;
  deferrals: number;
  deliveries: number;
  /** The current delivery, or the one before. */
  delivery: QueuedJob | null;
  /** Which process has it. */
  heldBy: number;
}

export type NewModelJob = Pick<
  ModelJob,
  'id' | 'queue' | 'text' | 'priority' | 'key' | 'leaseUnits' | 'maxAttempts'
> & {
  readonly delay: number;
};
