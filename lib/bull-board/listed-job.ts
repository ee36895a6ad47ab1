import { BoardError } from './board-error.js';
import { BoardJob } from './board-job.js';
import type { BoardQueue } from './board-queue.js';
import type { HeldJob } from './held-job.js';
import type { JobPresenter } from './job-presenter.js';

type OneByOne = (retry: () => Promise<void>) => Promise<void>;

/**
 * A job of a list, where it is one of many that are retried at once. One that has gone meanwhile, or whose unique key
 * another job holds, stays what it is: its error would keep Bull Board from those behind it.
 */
export class ListedJob extends BoardJob {
  readonly #oneByOne: OneByOne;

  constructor(queue: BoardQueue, held: HeldJob, presenter: JobPresenter, oneByOne: OneByOne) {
    super(queue, held, presenter);
    this.#oneByOne = oneByOne;
  }

  override retry(): Promise<void> {
    return this.#oneByOne(async () => {
      try {
        await super.retry();
      } catch (error) {
        if (!(error instanceof BoardError) || error.statusCode !== 409) throw error;
      }
    });
  }
}
