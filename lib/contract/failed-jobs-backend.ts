import type { Failure } from './failure.js';
import type { RawHeader } from './job-header.js';
import type { QueueBackend } from './queue-backend.js';

/** A failed job as it is stored; `body` is undecoded, for undecodable bytes are kept as they were. */
export interface StoredFailedJob {
  /** The job's id, or one that the backend gave to an item whose own could not be read. */
  readonly id: string;
  readonly queue: string;
  readonly header: RawHeader;
  readonly body: string | Uint8Array;
  readonly failure: Failure;
  readonly failedAt: Date;
}

/** Which page of which failed jobs a backend is asked for. */
export interface FailedJobsQuery {
  /** Only this queue; all without it. */
  readonly queue?: string;
  readonly limit: number;
  /** From the previous page's `cursor`. Refused where `failedJobs` is `scan`. */
  readonly cursor?: string;
}

/** One page of failed jobs. */
export interface FailedJobsPage {
  /** Newest first; oldest first where `failedJobs` is `scan`. */
  readonly jobs: readonly StoredFailedJob[];
  /** Where the next page begins, null at the end. Always null where `failedJobs` is `scan`. */
  readonly cursor: string | null;
}

/** `duplicate`: its unique key is held by another job by now; it stays in the failed store. */
export type RetryOutcome = 'retried' | 'missing' | 'duplicate';

/** How many failed jobs went back to their queues, and how many unique keys forbade it. */
export interface RetryAllResult {
  readonly retried: number;
  readonly duplicates: number;
}

/** How many failed jobs a backend that scans reads at most. */
export const MAX_FAILED_SCAN = 1_000;

/**
 * A backend that keeps failed jobs. Declared by `capabilities.failedJobs`.
 *
 * Where that is `scan` each queue has a failed store of its own that can only be read from its oldest job on: `queue` is
 * given in every call, `limit` is at most `MAX_FAILED_SCAN`, and there are no cursors. Elsewhere an id is enough, and a
 * `queue` beside it says nothing more.
 */
export interface FailedJobsBackend extends QueueBackend {
  listFailed(query: FailedJobsQuery): Promise<FailedJobsPage>;
  findFailed(id: string, queue?: string): Promise<StoredFailedJob | null>;
  /** Puts it back on its queue with attempts, deferrals and grace rounds from the start; the serial goes on. */
  retryFailed(id: string, queue?: string): Promise<RetryOutcome>;
  retryAllFailed(queue?: string): Promise<RetryAllResult>;
  /** Deletes one; false when there is none. Touches no unique key. */
  forgetFailed(id: string, queue?: string): Promise<boolean>;
  /** Deletes all, of one queue or of every one; resolves with how many. Touches no unique key. */
  flushFailed(queue?: string): Promise<number>;
}

export function keepsFailedJobs(backend: QueueBackend): backend is FailedJobsBackend {
  return backend.capabilities.failedJobs !== 'no';
}
