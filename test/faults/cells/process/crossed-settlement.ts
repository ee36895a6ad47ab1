import type { QueuedJob } from '../../../../lib/contract/index.js';
import { waitFor } from '../../../support/eventually.js';
import { HandJob } from '../../app/hand.job.js';
import { type FaultCell, NEEDS_NOTHING } from '../../cell.js';
import type { SettledOperation } from '../../ledger/entries.js';
import type { Trial } from '../../trial/trial.js';
import { HandConsumer } from './hand-consumer.js';

/** Few, so that a busy machine is done with them before their leases end. */
const BATCH = 4;
const OPERATIONS: readonly SettledOperation[] = ['ack', 'release', 'defer', 'fail'];

/** Every fifth delivery is settled twice, every fifth first by a consumer that has lost it: what comes late changes nothing. */
export const crossedSettlement: FaultCell = {
  name: 'crossed-settlement',
  title: 'double and crossed settlement',
  needs: NEEDS_NOTHING,
  bites: [
    { fault: 'settled-again', while: 'anything', times: 5 },
    { fault: 'settled-crossed', while: 'anything', times: 5 },
  ],
  reason: ({ rules }) => (rules.fenced ? null : 'cannot tell a late settlement from a current one'),
  inProcess: true,
  async inject(trial) {
    const [one, two] = [await trial.target.open(), await trial.target.open()];
    try {
      for (let job = 0; job < trial.jobs; job += 1) {
        trial.writer.write({ kind: 'push-try', job });
        trial.writer.write({ kind: 'push-ok', job, id: await one.queue.push(new HandJob(job)) });
      }
      const pair = new Pair(
        trial,
        new HandConsumer(trial, 'worker-1', one),
        new HandConsumer(trial, 'worker-2', two),
      );
      while (await pair.takeTurn()) pair.swap();
    } finally {
      await one.close();
      await two.close();
    }
  },
};

/** Two consumers of one queue, of which one is at work and the other gets in its way. */
class Pair {
  constructor(
    private readonly trial: Trial,
    private worker: HandConsumer,
    private rival: HandConsumer,
  ) {}

  swap(): void {
    [this.worker, this.rival] = [this.rival, this.worker];
  }

  /** False when nothing is left. */
  async takeTurn(): Promise<boolean> {
    const jobs = await this.worker.reserve(BATCH);
    for (const job of jobs) {
      const share = this.trial.random.next();
      if (share < 0.2) await this.#settleTwice(job);
      else if (share < 0.4) await this.#cross(job);
      else await this.#settle(job, this.#operation(job));
    }
    return jobs.length > 0;
  }

  /** A job that has come a few times is done at last. */
  #operation({ attempts, deferrals }: QueuedJob): SettledOperation {
    return attempts + deferrals > 3 ? 'ack' : this.trial.random.pick(OPERATIONS);
  }

  async #settle(job: QueuedJob, operation: SettledOperation, consumer = this.worker): Promise<void> {
    consumer.finish(job, operation);
    await consumer.settle(job, operation);
  }

  async #settleTwice(job: QueuedJob): Promise<void> {
    await this.#settle(job, this.#operation(job));
    this.trial.fault('settled-again', this.worker.name, { id: job.id, attempt: job.attempts });
    await this.worker.settle(job, this.trial.random.pick(OPERATIONS));
  }

  /** The rival gets the job when the lease is over; then both settle, the one that lost it first. */
  async #cross(job: QueuedJob): Promise<void> {
    this.trial.fault('lease-ended', this.worker.name, { id: job.id, attempt: job.attempts });
    if (!(await this.worker.shortenLease(job))) return this.#settle(job, this.#operation(job));
    const taken = await waitFor('the rival to get the job', () => this.#reclaimed(job));
    this.trial.fault('settled-crossed', this.worker.name, { id: job.id, attempt: job.attempts });
    await this.#settle(job, this.trial.random.pick(OPERATIONS));
    await this.#settle(taken, this.#operation(taken), this.rival);
  }

  async #reclaimed({ id }: QueuedJob): Promise<QueuedJob | undefined> {
    const jobs = await this.rival.reserve(1);
    for (const job of jobs) if (job.id !== id) await this.#settle(job, 'ack', this.rival);
    return jobs.find((job) => job.id === id);
  }
}
