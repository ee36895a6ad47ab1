import {
  decodeItem,
  type Failure,
  type JobState,
  QueuedJob,
  type RawHeader,
  type StoredFailedJob,
  type StoredJob,
} from '../contract/index.js';

/** A stored job as it can be looked at: what a `QueuedJob` says, without a receipt to settle it by. */
export type JobView = Pick<
  QueuedJob,
  | 'id'
  | 'class'
  | 'args'
  | 'queue'
  | 'attempts'
  | 'maxAttempts'
  | 'priority'
  | 'deferrals'
  | 'pushedAt'
  | 'metadata'
>;

/**
 * A job in the failed store. `job` is null for bytes that do not decode; `body` is what is stored, as it is. Arguments
 * are not redacted.
 */
export interface FailedJob {
  readonly id: string;
  readonly queue: string;
  readonly job: JobView | null;
  readonly body: string | Uint8Array;
  readonly failure: Failure;
  readonly failedAt: Date;
}

/** A waiting or reserved job. Arguments are not redacted. */
export interface BrowsedJob {
  readonly id: string;
  readonly queue: string;
  readonly state: JobState;
  readonly job: JobView | null;
  readonly body: string | Uint8Array;
  /** When a delayed job becomes ready or a lease ends; null for a ready job. */
  readonly dueAt: Date | null;
}

export function failedJobOf({ id, queue, header, body, failure, failedAt }: StoredFailedJob): FailedJob {
  return { id, queue, job: viewOf(queue, header, body), body, failure, failedAt };
}

export function browsedJobOf({ id, queue, state, header, body, dueAt }: StoredJob): BrowsedJob {
  return { id, queue, state, job: viewOf(queue, header, body), body, dueAt };
}

function viewOf(queue: string, header: RawHeader, body: string | Uint8Array): JobView | null {
  const decoded = decodeItem({ queue, receipt: null, header, body, leaseSeconds: null });
  return decoded.kind === 'job' ? decoded.job : null;
}
