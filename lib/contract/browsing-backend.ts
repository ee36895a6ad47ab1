import type { RawHeader } from './job-header.js';
import type { QueueBackend } from './queue-backend.js';

/** By time, as counts are: a due delayed job and an expired reservation are ready. */
export type JobState = 'ready' | 'delayed' | 'reserved';

/** A waiting or reserved job as it is stored, undecoded. */
export interface StoredJob {
  readonly id: string;
  readonly queue: string;
  readonly state: JobState;
  readonly header: RawHeader;
  readonly body: string | Uint8Array;
  /** When a delayed job becomes ready or a lease ends; null for a ready job. */
  readonly dueAt: Date | null;
}

/** Which page of which jobs a backend is asked for. */
export interface BrowseQuery {
  readonly queue: string;
  readonly state: JobState;
  readonly limit: number;
  readonly cursor?: string;
}

/** One page of stored jobs, in the order of the queue. */
export interface BrowsePage {
  readonly jobs: readonly StoredJob[];
  readonly cursor: string | null;
}

/** A backend whose jobs can be looked at one by one. Declared by `capabilities.browse`. */
export interface BrowsingBackend extends QueueBackend {
  listJobs(query: BrowseQuery): Promise<BrowsePage>;
  findJob(queue: string, id: string): Promise<StoredJob | null>;
  /**
   * Removes a ready or delayed job and frees its unique key; false when there is none, or it is reserved. As `clear`, it
   * never removes a reservation, even an expired one.
   */
  removeJob(queue: string, id: string): Promise<boolean>;
  /** Makes a delayed job ready now; false when there is no such delayed job. */
  promoteJob(queue: string, id: string): Promise<boolean>;
}

export function canBrowse(backend: QueueBackend): backend is BrowsingBackend {
  return backend.capabilities.browse;
}
