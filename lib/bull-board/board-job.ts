import type { JobState, QueueJob, QueueJobJson } from '@bull-board/api/dist/types.js';
import { BoardError } from './board-error.js';
import type { BoardQueue } from './board-queue.js';
import type { HeldJob } from './held-job.js';
import type { JobPresenter } from './job-presenter.js';

const DUPLICATE =
  'Another job holds its unique key by now. It stays among the failed and can be retried when that one has ended.';

/** One job as Bull Board handles it. */
export class BoardJob implements QueueJob {
  readonly id: string;
  readonly opts: { readonly delay?: number };
  readonly #queue: BoardQueue;
  readonly #held: HeldJob;
  readonly #json: QueueJobJson;

  constructor(queue: BoardQueue, held: HeldJob, presenter: JobPresenter) {
    this.#queue = queue;
    this.#held = held;
    this.#json = presenter.present(held);
    this.id = held.job.id;
    this.opts = this.#json.delay === undefined ? {} : { delay: this.#json.delay };
  }

  toJSON(): QueueJobJson {
    return this.#json;
  }

  async getState(): Promise<JobState> {
    return this.#held.state;
  }

  async retry(): Promise<void> {
    if (!(await this.#queue.retry(this.id))) throw new BoardError(DUPLICATE, 409);
  }

  remove(): Promise<void> {
    return this.#queue.remove(this.#held);
  }

  promote(): Promise<void> {
    return this.#queue.promote(this.id);
  }

  /** Without it Bull Board would say that it had changed them. What it holds is redacted and cut, too. */
  async updateData(): Promise<never> {
    throw new BoardError('The arguments of a job are not changed by a board: remove it and push another.');
  }
}
