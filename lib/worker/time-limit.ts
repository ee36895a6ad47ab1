import { JobTimeoutException, type QueuedJob } from '../contract/index.js';

/** How long one handler may take, and how long it may then take to end. */
export class TimeLimit {
  readonly #timeoutSeconds: number;
  readonly #graceMs: number;
  #expired: JobTimeoutException | null = null;
  #dueAt = Infinity;
  #abandon: () => void = () => undefined;
  /** Resolves when the handler did not end within its grace; never where it did. */
  readonly graceOver = new Promise<void>((resolve) => (this.#abandon = resolve));

  constructor(timeoutSeconds: number, graceSeconds: number) {
    this.#timeoutSeconds = timeoutSeconds;
    this.#graceMs = graceSeconds * 1_000;
  }

  /** The handler begins. */
  begin(): void {
    this.#dueAt = performance.now() + this.#timeoutSeconds * 1_000;
  }

  /** When the time is over, then when the grace is; Infinity after that. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /** The job's failure once its time is over, whatever its handler makes of it; null before. */
  get expired(): JobTimeoutException | null {
    return this.#expired;
  }

  /** The handler has ended. */
  end(): void {
    this.#dueAt = Infinity;
  }

  /** Does what is due; answers with the exception at the moment when the time is over. */
  check(now: number, job: QueuedJob): JobTimeoutException | null {
    if (now < this.#dueAt) return null;
    if (this.#expired !== null) {
      this.#dueAt = Infinity;
      this.#abandon();
      return null;
    }
    this.#dueAt = now + this.#graceMs;
    this.#expired = new JobTimeoutException(
      `Job ${job.class} (${job.id}) on queue "${job.queue}": expected handle() to end within ${this.#timeoutSeconds} s ` +
        "(timeoutSeconds); it ran longer. Pass the delivery's signal on to what it waits for, or allow more time.",
    );
    return this.#expired;
  }
}
