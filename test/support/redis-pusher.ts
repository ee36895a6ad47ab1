import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from '../../lib/queue/index.js';
import { Work } from './apps/work.job.js';

/** Rejections that say: nothing was stored. */
const NOT_STORED = ['QUEUE_CONNECTION_FAILED', 'QUEUE_SERVER_REFUSED'];
const PAUSE_MS = 5;

/** Pushes as long as it may, and keeps account of what was answered. */
export class RedisPusher {
  /** Ids of the jobs whose push resolved. */
  readonly accepted = new Set<string>();
  /** Numbers of the jobs of which the push said that they are not stored. */
  readonly refused = new Set<number>();
  /** How many pushes did not know what became of them. */
  unknown = 0;
  #n = 0;

  constructor(
    private readonly queue: Queue,
    /** How many jobs were done so far. */
    private readonly done: () => number,
    private readonly mostWaiting: number,
  ) {}

  async push(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.accepted.size - this.done() > this.mostWaiting) await pause(PAUSE_MS);
      else await this.#pushOne((this.#n += 1));
    }
  }

  async #pushOne(n: number): Promise<void> {
    try {
      this.accepted.add(await this.queue.push(new Work(n, 'quick')));
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code === 'QUEUE_OUTCOME_UNKNOWN') this.unknown += 1;
      else if (code !== undefined && NOT_STORED.includes(code)) this.refused.add(n);
      else throw error;
      await pause(PAUSE_MS);
    }
  }
}
