import { LONGEST_TIMER_MS } from './pause.js';
import type { RunningDeliveries } from './running-deliveries.js';
import type { RunningDelivery } from './running-delivery.js';
import type { WorkerLog } from './worker-log.js';

/** The loop's lag is measured this often, as a share of a lease, and warned about above that share. */
const BEAT = 1 / 12;
const TOO_LATE = 1 / 3;
/** After so many leases it is told, once, that a job without a time limit still runs. */
const LONG = 10;

/**
 * One timer for the leases and time limits of all that a worker runs. It is set anew only for what is due sooner, so that
 * short jobs come and go without touching it.
 */
export class DeliveryWatch {
  readonly #running: RunningDeliveries;
  readonly #renews: boolean;
  readonly #log: WorkerLog;
  #timer: NodeJS.Timeout | null = null;
  #dueAt = Infinity;

  constructor(running: RunningDeliveries, renews: boolean, log: WorkerLog) {
    this.#running = running;
    this.#renews = renews;
    this.#log = log;
  }

  /** Something of the delivery became due at another time. */
  watch(delivery: RunningDelivery): void {
    const dueAt = this.#dueOf(delivery, performance.now());
    if (dueAt < this.#dueAt) this.#set(dueAt);
  }

  /** The handler has ended: the one that blocked the loop ends before the timer has its turn. */
  ended(delivery: RunningDelivery): void {
    this.#warnOfLag(delivery, performance.now() - this.#dueAt);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#dueAt = Infinity;
  }

  #set(dueAt: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    const inMs = Math.min(Math.max(dueAt - performance.now(), 0), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#check(), Math.ceil(inMs));
    this.#timer.unref();
  }

  #check(): void {
    const now = performance.now();
    const lateMs = now - this.#dueAt;
    this.#timer = null;
    this.#dueAt = Infinity;
    let next = Infinity;
    for (const delivery of this.#running.all()) {
      this.#warnOfLag(delivery, lateMs);
      this.#warnOfLength(delivery, now);
      delivery.check(now, this.#renews);
      next = Math.min(next, this.#dueOf(delivery, now));
    }
    if (next < this.#dueAt) this.#set(next);
  }

  #dueOf(delivery: RunningDelivery, now: number): number {
    const { lease } = delivery;
    const beat = lease === null || delivery.abandoned ? Infinity : now + lease.lengthMs * BEAT;
    return Math.min(beat, delivery.dueAt(this.#renews));
  }

  /** One with a `timeoutSeconds` may be meant to take that long, and is ended anyway. */
  #warnOfLength(delivery: RunningDelivery, now: number): void {
    const { lease, limit, job } = delivery;
    if (lease === null || limit !== null || delivery.warnedOfLength) return;
    const runningMs = now - delivery.startedAt;
    if (runningMs < lease.lengthMs * LONG) return;
    delivery.warnedOfLength = true;
    this.#log.job('warn', 'job.still-running', job, runningMs, {
      leaseSeconds: job.leaseSeconds,
      advice: 'a job without timeoutSeconds is never ended: give it one, or restart this worker if it hangs',
    });
  }

  #warnOfLag(delivery: RunningDelivery, lateMs: number): void {
    const { lease, job } = delivery;
    if (lease === null || delivery.warnedOfLag || delivery.abandoned) return;
    if (lateMs <= lease.lengthMs * TOO_LATE) return;
    delivery.warnedOfLag = true;
    this.#log.job('warn', 'job.loop-blocked', job, delivery.durationMs, {
      lagMs: Math.round(lateMs),
      leaseSeconds: job.leaseSeconds,
      advice: 'the event loop was blocked for more than a third of a lease; blocking work delays renewals',
    });
  }
}
