import { Scope } from '@nestjs/common';
import { DeferJobException, FailJobException, Handle, Job, JobDelivery } from '../../dist/lib/index.js';

/** Where a worker keeps what its jobs have done until it is told. */
export class DoneJobs {
  #numbers = [];
  /** Jobs that failed once and are to be done when they come back from the failed store. */
  #failedOnce = new Set();

  done(n) {
    this.#numbers.push(n);
  }

  /** True the first time. */
  failsNow(n) {
    if (this.#failedOnce.delete(n)) return false;
    this.#failedOnce.add(n);
    return true;
  }

  /** The numbers since the last call. */
  take() {
    const numbers = this.#numbers;
    this.#numbers = [];
    return numbers;
  }
}

/** Made anew for each delivery, as providers of a request are. */
export class Visit {
  constructor(done) {
    this.done = done;
  }
}

export const visitProvider = {
  provide: Visit,
  scope: Scope.REQUEST,
  inject: [DoneJobs],
  useFactory: (done) => new Visit(done),
};

/** A job that is done at once, or after it was released, deferred or given up on for the first time. */
export class SoakJob {
  constructor(n, behaviour, note, at) {
    this.n = n;
    this.behaviour = behaviour;
    this.note = note;
    this.at = at;
  }

  handle(visit, delivery) {
    if (this.behaviour === 'retry' && delivery.attempts === 1) throw new Error('not yet');
    if (this.behaviour === 'defer' && delivery.deferrals === 0) throw new DeferJobException(1);
    if (this.behaviour === 'fail' && visit.done.failsNow(this.n)) throw new FailJobException('given up on');
    visit.done.done(this.n);
  }
}
Handle()(SoakJob.prototype, 'handle', Object.getOwnPropertyDescriptor(SoakJob.prototype, 'handle'));
Job({ name: 'soak.job', queue: 'soak', maxAttempts: 3, backoff: 1, inject: [Visit, JobDelivery] })(SoakJob);
