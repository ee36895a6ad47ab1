import type { QueuedJob } from '../contract/index.js';
import type { DeliveryScope, JobDeliveryFields } from '../jobs/index.js';

/** Sets the end of a delivery's lease, in seconds from now. */
export type ExtendLease = (job: QueuedJob, seconds: number) => Promise<void>;

/**
 * A delivery while this worker holds it: its signal, and the right to settle it, which is given once. Lease renewal
 * hangs on it too.
 */
export class RunningDelivery implements JobDeliveryFields {
  readonly startedAt = performance.now();
  /** Set while the delivery has a scope: events go to listeners in it. */
  scope: DeliveryScope | null = null;
  #controller: AbortController | null = null;
  #abortReason: Error | null = null;
  #claimed = false;

  constructor(
    readonly job: QueuedJob,
    readonly connection: string,
    readonly maxAttempts: number,
    private readonly extendLease: ExtendLease | null,
  ) {}

  /** Made when it is first read: most handlers never look at it. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#abortReason !== null) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  /** Why the delivery should end, null as long as it should not. */
  get abortReason(): Error | null {
    return this.#abortReason;
  }

  get durationMs(): number {
    return performance.now() - this.startedAt;
  }

  abort(reason: Error): void {
    if (this.#abortReason !== null) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }

  async extend(seconds: number): Promise<void> {
    await this.extendLease?.(this.job, seconds);
  }

  /** True for the first caller only: who gets it may settle the delivery, nobody else ever does. */
  claim(): boolean {
    if (this.#claimed) return false;
    this.#claimed = true;
    return true;
  }
}
