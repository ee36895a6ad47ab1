import type { WorkerOptions } from './worker-options.js';

/** How much a run may still do. */
export class RunLimits {
  readonly #options: WorkerOptions;
  readonly #endsAt: number;
  #taken = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#endsAt = performance.now() + options.maxTimeSeconds * 1_000;
  }

  /** Deliveries and malformed items that this run has begun with. */
  get taken(): number {
    return this.#taken;
  }

  take(): void {
    this.#taken += 1;
  }

  /** How many more may be reserved. */
  get remaining(): number {
    return (this.#options.once ? 1 : this.#options.maxJobs) - this.#taken;
  }

  /** How long to look for work before the loop turns. */
  get lookMs(): number {
    return Math.min(this.#options.pollTimeoutSeconds * 1_000, this.#endsAt - performance.now());
  }

  /** The limit that is reached, in words, or null. */
  reached(): string | null {
    const { maxJobs, maxMemoryMb, maxTimeSeconds, once } = this.#options;
    if (once && this.#taken > 0) return 'one delivery was handled (once)';
    if (this.#taken >= maxJobs) return `${maxJobs} deliveries were handled (maxJobs)`;
    if (performance.now() >= this.#endsAt) return `${maxTimeSeconds} s have passed (maxTimeSeconds)`;
    // Not before the first job: a limit below what the process needs to start must not end in one that never works.
    if (this.#taken > 0 && maxMemoryMb < Infinity && process.memoryUsage.rss() > maxMemoryMb * 1_048_576) {
      return `the process uses more than ${maxMemoryMb} MB (maxMemoryMb)`;
    }
    return null;
  }
}
