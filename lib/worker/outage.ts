import { ServerRefused } from '../contract/index.js';
import { pause } from './pause.js';
import { errorFields, type WorkerLog } from './worker-log.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** Counts failures in a row of reaching the backend, and spaces the tries. Reports an outage once, and its end. */
export class Outage {
  readonly #log: WorkerLog;
  readonly #maxFailures: number;
  #failures = 0;
  #since = 0;

  constructor(log: WorkerLog, maxFailures: number) {
    this.#log = log;
    this.#maxFailures = maxFailures;
  }

  get failures(): number {
    return this.#failures;
  }

  /** Waits before the next try, no longer than the signal allows. False when there is to be none. */
  async failed(error: unknown, signal: AbortSignal): Promise<boolean> {
    if (this.#failures === 0) {
      this.#since = performance.now();
      // A database that another connection holds locked is there: nobody should look for a broken network.
      const reason =
        error instanceof ServerRefused
          ? 'the server answers, and refuses work for now'
          : 'the server does not answer';
      this.#log.worker('error', 'worker.connection-lost', { reason, ...errorFields(error) });
    }
    this.#failures += 1;
    if (this.#failures >= this.#maxFailures) return false;
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 16));
    // Half of it at random, so that workers that lost one server together do not come back together.
    await pause(longest * (0.5 + Math.random() / 2), signal);
    return true;
  }

  /** The backend answered. */
  over(): void {
    if (this.#failures === 0) return;
    const outageMs = Math.round(performance.now() - this.#since);
    this.#log.worker('log', 'worker.connection-restored', { failures: this.#failures, outageMs });
    this.#failures = 0;
  }
}
