import { type Capabilities, DEFERRED_RANK, type QueuedJob } from '../../../lib/contract/index.js';
import type { ModelJob, NewModelJob, Place } from './model-job.js';
import type { Ending } from './step.js';

/** The counts that the model is sure of. */
export interface ModelCounts {
  readonly ready: number;
  readonly delayed: number;
  readonly reserved: number;
  readonly failed: number;
  readonly paused: boolean;
}

/** The contract as a list of jobs: what a store holds after some steps, and what it may hand out next. */
export class Model {
  /** In units. */
  now = 0;
  readonly paused = new Set<string>();
  /** Deliveries that have ended: settled, or reclaimed by somebody else. */
  readonly ended: { readonly delivery: QueuedJob; readonly heldBy: number }[] = [];
  readonly #jobs = new Map<string, ModelJob>();
  readonly #capabilities: Capabilities;

  constructor(capabilities: Capabilities) {
    this.#capabilities = capabilities;
  }

  find(id: string): ModelJob | undefined {
    return this.#jobs.get(id);
  }

  jobs(queue?: string): ModelJob[] {
    return [...this.#jobs.values()].filter((job) => queue === undefined || job.queue === queue);
  }

  in(state: ModelJob['state'], queue?: string): ModelJob[] {
    return this.jobs(queue).filter((job) => job.state === state);
  }

  /** Due by time: a delay that is over, a lease that has ended. */
  ready(queue: string): ModelJob[] {
    return this.jobs(queue).filter(
      ({ state, dueAt }) => (state === 'waiting' || state === 'held') && dueAt <= this.now,
    );
  }

  /** Whether a job of the queue holds the key. */
  holdsKey(queue: string, key: string | null): boolean {
    return (
      key !== null && [...this.in('waiting', queue), ...this.in('held', queue)].some((job) => job.key === key)
    );
  }

  counts(queue: string): ModelCounts {
    const ready = this.ready(queue).length;
    const waiting = this.in('waiting', queue);
    const held = this.in('held', queue);
    return {
      ready,
      delayed: waiting.filter(({ dueAt }) => dueAt > this.now).length,
      reserved: held.filter(({ dueAt }) => dueAt > this.now).length,
      failed: this.in('failed', queue).length,
      paused: this.paused.has(queue),
    };
  }

  add({ delay, ...job }: NewModelJob): void {
    this.#jobs.set(job.id, {
      ...job,
      order: this.#jobs.size,
      state: 'waiting',
      dueAt: this.now + delay,
      place: delay === 0 ? 'fresh' : 'anywhere',
      rank: job.priority,
      attempts: 0,
      deferrals: 0,
      deliveries: 0,
      delivery: null,
      heldBy: 0,
    });
  }

  /** Which attempt the next delivery of a job that is ready is. */
  nextAttempt(job: ModelJob): number {
    if (!this.#capabilities.freeDeferral) return job.deliveries + 1;
    const isLost = job.state === 'held';
    return job.attempts + 1 + (isLost && this.#capabilities.countsCrashes ? 1 : 0);
  }

  deliver(job: ModelJob, delivery: QueuedJob, heldBy: number): void {
    this.#end(job);
    job.attempts = delivery.attempts - 1;
    job.state = 'held';
    job.delivery = delivery;
    job.heldBy = heldBy;
    job.deliveries += 1;
    job.rank = job.priority;
    this.extend(job, job.leaseUnits);
  }

  extend(job: ModelJob, units: number): void {
    job.dueAt = this.#capabilities.extend ? this.now + units : Infinity;
  }

  /** A job whose lease ended was put back, and not yet handed out. */
  reclaim(job: ModelJob): void {
    const attempts = this.nextAttempt(job) - 1;
    this.#end(job);
    job.attempts = attempts;
    this.#wait(job, 0, 'anywhere');
  }

  settle(job: ModelJob, how: Ending, delay: number): void {
    this.#end(job);
    if (how === 'ack') job.state = 'gone';
    else if (how === 'fail') job.state = this.#capabilities.failedJobs === 'no' ? 'gone' : 'failed';
    else {
      if (how === 'release') job.attempts += 1;
      if (how === 'defer') this.#defer(job);
      this.#wait(job, delay, delay === 0 && this.#capabilities.keepsPlace ? 'returned' : 'anywhere');
    }
  }

  retry(job: ModelJob): void {
    job.attempts = 0;
    job.deferrals = 0;
    job.rank = job.priority;
    this.#wait(job, 0, 'anywhere');
  }

  promote(job: ModelJob): void {
    this.#wait(job, 0, 'anywhere');
  }

  remove(job: ModelJob): void {
    job.state = 'gone';
  }

  #defer(job: ModelJob): void {
    job.deferrals += 1;
    if (this.#capabilities.priorityLevels !== 'none') job.rank = DEFERRED_RANK;
  }

  #wait(job: ModelJob, delay: number, place: Place): void {
    job.state = 'waiting';
    job.dueAt = this.now + delay;
    job.place = place;
  }

  #end({ state, delivery, heldBy }: ModelJob): void {
    if (state === 'held' && delivery !== null) this.ended.push({ delivery, heldBy });
  }
}
