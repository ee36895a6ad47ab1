import {
  assertLimit,
  assertQueueName,
  type FailedJobsBackend,
  type RetryAllResult,
  type RetryOutcome,
} from '../contract/index.js';
import { type FailedJob, failedJobOf } from './job-view.js';

/** Which failed jobs an operation is about. */
export interface FailedJobsFilter {
  /** Only this queue; all without it. */
  readonly queue?: string;
}

/** Which page of which failed jobs `failed.list()` answers. */
export interface FailedJobsListOptions extends FailedJobsFilter {
  /** How many at most (50). */
  readonly limit?: number;
  /** From the page before. */
  readonly cursor?: string;
}

/**
 * The jobs of one connection that were given up on.
 *
 * @publicApi
 */
export class FailedJobs {
  readonly #backend: FailedJobsBackend;

  constructor(backend: FailedJobsBackend) {
    this.#backend = backend;
  }

  /** A page, newest first (oldest first where the backend has to scan); `cursor` is null at the end. */
  async list(
    options: FailedJobsListOptions = {},
  ): Promise<{ readonly jobs: readonly FailedJob[]; readonly cursor: string | null }> {
    const { limit = 50, queue, cursor } = options;
    assertLimit(limit, 'failed.list(): limit');
    assertQueue(queue, 'failed.list(): queue');
    const page = await this.#backend.listFailed({
      limit,
      ...(queue === undefined ? {} : { queue }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { jobs: page.jobs.map(failedJobOf), cursor: page.cursor };
  }

  async find(id: string): Promise<FailedJob | null> {
    const stored = await this.#backend.findFailed(id);
    return stored === null ? null : failedJobOf(stored);
  }

  /**
   * Puts a job back on its queue with its attempts from the start. `duplicate`: another job holds its unique key by now,
   * and it stays where it is.
   */
  retry(id: string): Promise<RetryOutcome> {
    return this.#backend.retryFailed(id);
  }

  async retryAll({ queue }: FailedJobsFilter = {}): Promise<RetryAllResult> {
    assertQueue(queue, 'failed.retryAll(): queue');
    return this.#backend.retryAllFailed(queue);
  }

  /** Deletes one; false when there is none. */
  forget(id: string): Promise<boolean> {
    return this.#backend.forgetFailed(id);
  }

  /** Deletes all, of one queue or of every one; resolves with how many. */
  async flush({ queue }: FailedJobsFilter = {}): Promise<number> {
    assertQueue(queue, 'failed.flush(): queue');
    return this.#backend.flushFailed(queue);
  }
}

function assertQueue(queue: string | undefined, what: string): void {
  if (queue !== undefined) assertQueueName(queue, what);
}
