import { Logger } from '@nestjs/common';
import type { JobState, QueueBackend, QueueCounts } from '../contract/index.js';
import { canBrowse, keepsFailedJobs } from '../contract/index.js';
import { describeTrouble, type Trouble } from '../health/describe-trouble.js';
import { within } from '../health/within.js';
import {
  ClearableQueue,
  DEFAULT_CONNECTION,
  type JobBrowser,
  type Queue,
  QueueAdmin,
} from '../queue/index.js';
import { BoardError } from './board-error.js';
import { type BoardState, BROWSED_STATES, type HeldJob, heldBrowsed, heldFailed } from './held-job.js';
import { readRange } from './read-range.js';
import { refusalOf } from './refusal-of.js';

const DEFAULT_TIMEOUT_MS = 10_000;
/** A board asks every few seconds; of the same trouble it is enough to read now and then. */
const LOG_AGAIN_MS = 60_000;
/** How many jobs are looked up at once by what is done to all of a state. */
const STEP = 100;
const GONE = 'The job is not there any more: it ran, or somebody retried or removed it meanwhile.';

/**
 * One queue of a connection, as a board asks for it. What only looks never throws for its backend, since one that is
 * down would take the queues of all others off the board: `trouble` says what is wrong. What changes something throws
 * `BoardError`.
 */
export class BoardQueue {
  readonly queue: string;
  readonly #facade: Queue;
  readonly #timeoutMs: number;
  readonly #logger = new Logger('KinetisQueue');
  #counting: Promise<QueueCounts | null> | null = null;
  #trouble: Trouble | null = null;
  #logged = { error: '', atMs: -Infinity };

  constructor(queue: string, facade: Queue, timeoutMs = DEFAULT_TIMEOUT_MS) {
    this.queue = queue;
    this.#facade = facade;
    this.#timeoutMs = timeoutMs;
  }

  get connection(): string {
    return this.#facade.name;
  }

  get backend(): QueueBackend {
    return this.#facade.connection.backend;
  }

  /** Unique among the queues of all connections: no name of one contains a dot. */
  get name(): string {
    return this.connection === DEFAULT_CONNECTION ? this.queue : `${this.connection}.${this.queue}`;
  }

  /** Why a look at the backend told nothing, or null: since it was last counted, which each look begins with. */
  get trouble(): Trouble | null {
    return this.#trouble;
  }

  /** null where the backend did not answer. Asked for twice at once, the backend is asked once. */
  counts(): Promise<QueueCounts | null> {
    this.#counting ??= this.#look(() => this.#count(), null).finally(() => {
      this.#counting = null;
    });
    return this.#counting;
  }

  /** The jobs from place `start` to place `end`, both included; none where the backend cannot list them. */
  async list(state: BoardState, start: number, end: number): Promise<readonly HeldJob[]> {
    const { queue } = this;
    const from = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });
    if (state === 'failed') {
      if (!keepsFailedJobs(this.backend)) return [];
      const { failed } = this.#admin;
      const jobs = await this.#look(
        () => readRange(start, end, (limit, cursor) => failed.list({ queue, limit, ...from(cursor) })),
        [],
      );
      return jobs.map(heldFailed);
    }
    if (!canBrowse(this.backend)) return [];
    const { browse } = this.#admin;
    const wanted = { queue, state: BROWSED_STATES[state] };
    const jobs = await this.#look(
      () => readRange(start, end, (limit, cursor) => browse.list({ ...wanted, limit, ...from(cursor) })),
      [],
    );
    return jobs.map(heldBrowsed);
  }

  find(id: string): Promise<HeldJob | null> {
    return this.#act(async () => {
      if (canBrowse(this.backend)) {
        const job = await this.#admin.browse.find(this.queue, id);
        if (job !== null) return heldBrowsed(job);
      }
      if (!keepsFailedJobs(this.backend)) return null;
      const job = await this.#admin.failed.find(id, { queue: this.queue });
      return job?.queue === this.queue ? heldFailed(job) : null;
    });
  }

  /** False where another job holds its unique key by now: it stays among the failed. */
  retry(id: string): Promise<boolean> {
    return this.#act(async () => {
      const outcome = await this.#admin.failed.retry(id, { queue: this.queue });
      if (outcome === 'missing') throw new BoardError(GONE, 409);
      return outcome === 'retried';
    });
  }

  remove({ state, job: { id } }: HeldJob): Promise<void> {
    return this.#act(async () => {
      if (state === 'failed') {
        if (await this.#admin.failed.forget(id, { queue: this.queue })) return;
        throw new BoardError(GONE, 409);
      }
      if (await this.#admin.browse.remove(this.queue, id)) return;
      if ((await this.#admin.browse.find(this.queue, id)) === null) throw new BoardError(GONE, 409);
      throw new BoardError(
        'A worker holds the job: it can be removed when it waits again or has failed.',
        409,
      );
    });
  }

  promote(id: string): Promise<void> {
    return this.#act(async () => {
      if (await this.#admin.browse.promote(this.queue, id)) return;
      throw new BoardError('The job is not delayed any more.', 409);
    });
  }

  promoteAll(): Promise<void> {
    return this.#act(() => this.#forEach('delayed', (browse, id) => browse.promote(this.queue, id)));
  }

  removeAll(state: 'ready' | 'delayed'): Promise<void> {
    return this.#act(() => this.#forEach(state, (browse, id) => browse.remove(this.queue, id)));
  }

  async flushFailed(): Promise<void> {
    await this.#act(() => this.#admin.failed.flush({ queue: this.queue }));
  }

  pause(): Promise<void> {
    return this.#act(() => this.#admin.pause(this.queue));
  }

  resume(): Promise<void> {
    return this.#act(() => this.#admin.resume(this.queue));
  }

  async clear(): Promise<void> {
    await this.#act(() => new ClearableQueue(this.#facade).clear(this.queue));
  }

  /** Made where it is needed: it refuses a backend that can do none of what it is for. */
  get #admin(): QueueAdmin {
    return new QueueAdmin(this.#facade);
  }

  /** Always from the start, since what was done to a job takes it out of the list; jobs that come meanwhile stay. */
  async #forEach(state: JobState, act: (browse: JobBrowser, id: string) => Promise<boolean>): Promise<void> {
    const { browse } = this.#admin;
    const counts = await this.#facade.counts(this.queue);
    let left = counts[state] ?? 0;
    for (;;) {
      const limit = Math.min(STEP, left);
      if (limit < 1) return;
      const { jobs } = await browse.list({ queue: this.queue, state, limit });
      let done = 0;
      for (const { id } of jobs) if (await act(browse, id)) done += 1;
      if (done === 0) return;
      left -= done;
    }
  }

  async #count(): Promise<QueueCounts> {
    const counts = await this.#facade.counts(this.queue);
    this.#trouble = null;
    return counts;
  }

  async #look<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await within(this.#timeoutMs, look);
    } catch (error) {
      this.#trouble = describeTrouble(error);
      this.#logNowAndThen(this.#trouble.error, error);
      return otherwise;
    }
  }

  #logNowAndThen(name: string, error: unknown): void {
    const atMs = performance.now();
    if (name === this.#logged.error && atMs - this.#logged.atMs < LOG_AGAIN_MS) return;
    this.#logged = { error: name, atMs };
    this.#log('cannot be shown', error);
  }

  async #act<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null) throw refusal;
      this.#log('refused what a board asked for', error);
      throw new BoardError(describeTrouble(error).message, 503);
    }
  }

  #log(what: string, error: unknown): void {
    this.#logger.error(
      `Board: the queue "${this.queue}" of connection "${this.connection}" ${what}.`,
      error instanceof Error ? error.stack : String(error),
    );
  }
}
