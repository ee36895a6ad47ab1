import {
  assertPositiveSeconds,
  type JobSpan,
  type JobTimeoutException,
  LeaseLostException,
  type QueuedJob,
} from '../contract/index.js';
import type { DeliveryScope, JobDeliveryFields } from '../jobs/index.js';
import type { Lease } from './lease.js';
import type { TimeLimit } from './time-limit.js';

/** A delivery while this worker holds it: its signal, its lease, and the right to settle it, which is given once. */
export class RunningDelivery implements JobDeliveryFields {
  readonly startedAt = performance.now();
  /** Set while the delivery has a scope: events go to listeners in it. */
  scope: DeliveryScope | null = null;
  /** What telemetry follows it with, from its start, or at the latest its settlement, on. */
  span: JobSpan | null = null;
  /** null where there is none. */
  lease: Lease | null = null;
  /** Set while a handler with a time limit runs. */
  limit: TimeLimit | null = null;
  /** Its handler did not end in time: the delivery is settled, and keeps its slot until the handler ends. */
  abandoned = false;
  /** It was warned about a blocked event loop. */
  warnedOfLag = false;
  /** It was warned about how long it runs. */
  warnedOfLength = false;
  #controller: AbortController | null = null;
  #abortReason: Error | null = null;
  #stopReason: Error | null = null;
  #claimed = false;
  #unfollow: (() => void) | null = null;

  constructor(
    readonly job: QueuedJob,
    readonly connection: string,
    readonly maxAttempts: number,
  ) {}

  /** Made when it is first read: most handlers never look at it. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#abortReason !== null) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  /** The worker is forced to stop and does not wait for the outcome; null as long as it is not. */
  get stopReason(): Error | null {
    return this.#stopReason;
  }

  /** The time is over: the job's failure. */
  get timeout(): JobTimeoutException | null {
    return this.limit?.expired ?? null;
  }

  get durationMs(): number {
    return performance.now() - this.startedAt;
  }

  /** The handler should end. The first reason is the signal's. */
  abort(reason: Error): void {
    if (this.#abortReason !== null) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
  }

  /** The worker is forced to stop. */
  stop(reason: Error): void {
    this.#stopReason ??= reason;
    this.abort(reason);
  }

  /** The signal aborts when the backend says that the delivery is lost. One signal serves many: `unfollow` at the end. */
  follow(lost: AbortSignal): void {
    const { class: name, id, queue } = this.job;
    const abort = (): void => {
      const why = lost.reason instanceof Error ? ` (${lost.reason.message})` : '';
      const message =
        `Job ${name} (${id}) on queue "${queue}": expected its delivery to last while it runs, but it is lost${why}. ` +
        'Another worker may run it: end the work.';
      this.abort(new LeaseLostException(message, { cause: lost.reason }));
    };
    if (lost.aborted) return abort();
    lost.addEventListener('abort', abort, { once: true });
    this.#unfollow = () => lost.removeEventListener('abort', abort);
  }

  unfollow(): void {
    this.#unfollow?.();
    this.#unfollow = null;
  }

  async extend(seconds: number): Promise<void> {
    assertPositiveSeconds(seconds, 'extend(): seconds');
    await this.lease?.extend(seconds);
  }

  /** Somebody settles it, or has. */
  get claimed(): boolean {
    return this.#claimed;
  }

  /** True for the first caller only: who gets it may settle the delivery, nobody else ever does. */
  claim(): boolean {
    if (this.#claimed) return false;
    this.#claimed = true;
    return true;
  }

  /** When `check` has something to do. */
  dueAt(renews: boolean): number {
    return Math.min(this.lease?.dueAt(renews) ?? Infinity, this.limit?.dueAt ?? Infinity);
  }

  /** Renews the lease, aborts the signal, gives the handler up: whichever is due. */
  check(now: number, renews: boolean): void {
    this.lease?.check(now, renews);
    const expired = this.limit?.check(now, this.job) ?? null;
    if (expired !== null) this.abort(expired);
  }
}
