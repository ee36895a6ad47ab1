import {
  assertJobId,
  assertLimit,
  assertQueueName,
  type FailedJobsBackend,
  InvalidQueueArgumentException,
  MAX_FAILED_SCAN,
  type RetryAllResult,
  type RetryOutcome,
} from '../contract/index.js';
import { type FailedJob, failedJobOf } from './job-view.js';

/** Which failed jobs an operation is about. */
export interface FailedJobsFilter {
  /** Only this queue; all without it. Needed where the backend has to scan (`failedJobs: 'scan'`). */
  readonly queue?: string;
}

/** Which page of which failed jobs `failed.list()` answers. */
export interface FailedJobsListOptions extends FailedJobsFilter {
  /** How many at most (50). */
  readonly limit?: number;
  /** From the page before. Refused where the backend has to scan. */
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
    this.#assertQueue(queue, 'failed.list(): queue');
    this.#assertPage(limit, cursor);
    const page = await this.#backend.listFailed({
      limit,
      ...(queue === undefined ? {} : { queue }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { jobs: page.jobs.map(failedJobOf), cursor: page.cursor };
  }

  async find(id: string, { queue }: FailedJobsFilter = {}): Promise<FailedJob | null> {
    assertJobId(id, 'failed.find(): id');
    this.#assertQueue(queue, 'failed.find(): queue');
    const stored = await this.#backend.findFailed(id, queue);
    return stored === null ? null : failedJobOf(stored);
  }

  /**
   * Puts a job back on its queue with its attempts from the start. `duplicate`: another job holds its unique key by now,
   * and it stays where it is.
   */
  async retry(id: string, { queue }: FailedJobsFilter = {}): Promise<RetryOutcome> {
    assertJobId(id, 'failed.retry(): id');
    this.#assertQueue(queue, 'failed.retry(): queue');
    return this.#backend.retryFailed(id, queue);
  }

  async retryAll({ queue }: FailedJobsFilter = {}): Promise<RetryAllResult> {
    this.#assertQueue(queue, 'failed.retryAll(): queue');
    return this.#backend.retryAllFailed(queue);
  }

  /** Deletes one; false when there is none. */
  async forget(id: string, { queue }: FailedJobsFilter = {}): Promise<boolean> {
    assertJobId(id, 'failed.forget(): id');
    this.#assertQueue(queue, 'failed.forget(): queue');
    return this.#backend.forgetFailed(id, queue);
  }

  /** Deletes all, of one queue or of every one; resolves with how many. */
  async flush({ queue }: FailedJobsFilter = {}): Promise<number> {
    this.#assertQueue(queue, 'failed.flush(): queue');
    return this.#backend.flushFailed(queue);
  }

  get #scans(): boolean {
    return this.#backend.capabilities.failedJobs === 'scan';
  }

  #assertQueue(queue: string | undefined, what: string): void {
    if (queue !== undefined) return assertQueueName(queue, what);
    if (!this.#scans) return;
    throw new InvalidQueueArgumentException(
      `${what}: expected the name of a queue, came none: the backend "${this.#backend.driver}" keeps the failed jobs of ` +
        'each queue apart and can only read them one queue at a time.',
    );
  }

  #assertPage(limit: number, cursor: string | undefined): void {
    if (!this.#scans || (limit <= MAX_FAILED_SCAN && cursor === undefined)) return;
    const expected =
      cursor === undefined ? `limit: expected at most ${MAX_FAILED_SCAN}` : 'cursor: expected none';
    throw new InvalidQueueArgumentException(
      `failed.list(): ${expected}, came ${cursor ?? limit}: the backend "${this.#backend.driver}" reads failed jobs from ` +
        'the oldest on, in one piece. Retry or forget those to reach the ones behind them.',
    );
  }
}
