import type { JobCleanStatus, JobCounts, JobStatus, QueueJob, Status } from '@bull-board/api/dist/types.js';
import { keepsFailedJobs } from '../contract/index.js';
import { BoardError } from './board-error.js';
import { BoardJob } from './board-job.js';
import type { BoardQueue } from './board-queue.js';
import { BOARD_STATES, type BoardState } from './held-job.js';
import type { JobPresenter } from './job-presenter.js';
import { ListedJob } from './listed-job.js';
import { PlainAdapter } from './plain.adapter.js';
import { isOnlyWatched, sayLimits } from './say-limits.js';

/** One queue of a connection as Bull Board knows a queue. */
export class QueueBoardAdapter extends PlainAdapter {
  readonly #queue: BoardQueue;
  readonly #presenter: JobPresenter;
  /** Of the retries of one page, which Bull Board begins all at once: a store that is scanned bears one at a time. */
  #retrying: Promise<void> = Promise.resolve();

  constructor(queue: BoardQueue, presenter: JobPresenter, readOnly: boolean) {
    super({
      readOnlyMode: readOnly || isOnlyWatched(queue.backend),
      allowRetries: keepsFailedJobs(queue.backend),
      allowCompletedRetries: false,
      delimiter: '.',
    });
    this.#queue = queue;
    this.#presenter = presenter;
  }

  override getName(): string {
    return this.#queue.name;
  }

  override getDisplayName(): string {
    return this.#queue.trouble === null ? '' : `${this.#queue.name} (no answer)`;
  }

  override getDescription(): string {
    const { connection, backend, trouble } = this.#queue;
    const where = `Connection "${connection}" (${backend.driver}).`;
    if (trouble !== null)
      return `${where} ${trouble.message} Jobs and numbers are missing here until it answers.`;
    return [where, ...sayLimits(backend)].join(' ');
  }

  override getStatuses(): Status[] {
    return ['latest' as Status, ...this.getJobStatuses()];
  }

  override getJobStatuses(): JobStatus[] {
    const states = BOARD_STATES.filter((state) => state !== 'failed' || keepsFailedJobs(this.#queue.backend));
    return [...states] as JobStatus[];
  }

  override async getJobCounts(): Promise<JobCounts> {
    const counts = await this.#queue.counts();
    return {
      active: counts?.reserved ?? 0,
      waiting: counts?.ready ?? 0,
      failed: counts?.failed ?? 0,
      delayed: counts?.delayed ?? 0,
    } as JobCounts;
  }

  override async isPaused(): Promise<boolean> {
    return (await this.#queue.counts())?.paused ?? false;
  }

  override async getJob(id: string): Promise<QueueJob | null> {
    const held = await this.#queue.find(id);
    return held === null ? null : new BoardJob(this.#queue, held, this.#presenter);
  }

  /** `end` is included. Of several states, the page of each. */
  override async getJobs(statuses: JobStatus[], start = 0, end = Infinity): Promise<QueueJob[]> {
    const states = BOARD_STATES.filter((state) => statuses.includes(state as JobStatus));
    const pages = await Promise.all(states.map((state) => this.#page(state, start, end)));
    return pages.flat();
  }

  override async clean(status: JobCleanStatus): Promise<void> {
    if (status === 'failed') return this.#queue.flushFailed();
    if (status === 'wait') return this.#queue.removeAll('ready');
    if (status === 'delayed') return this.#queue.removeAll('delayed');
    throw new BoardError(`Jobs that are ${status} cannot be removed: a worker holds them, or they are gone.`);
  }

  override promoteAll(): Promise<void> {
    return this.#queue.promoteAll();
  }

  override pause(): Promise<void> {
    return this.#queue.pause();
  }

  override resume(): Promise<void> {
    return this.#queue.resume();
  }

  override empty(): Promise<void> {
    return this.#queue.clear();
  }

  async #page(state: BoardState, start: number, end: number): Promise<QueueJob[]> {
    const held = await this.#queue.list(state, start, end);
    const oneByOne = (retry: () => Promise<void>) => {
      const retried = this.#retrying.then(retry);
      this.#retrying = retried.catch(() => undefined);
      return retried;
    };
    return held.map((job) => new ListedJob(this.#queue, job, this.#presenter, oneByOne));
  }
}
