import {
  assertDelaySeconds,
  assertPositiveSeconds,
  DEFERRED_RANK,
  type FailureCause,
  type HeaderChanges,
  InvalidQueueArgumentException,
  type NewJob,
  type QueueBackend,
  type QueuedJob,
  type Settlement,
  StaleJobHandleException,
} from '../contract/index.js';
import { followUpsOf } from './chain-steps.js';
import { failureOf } from './failure-of.js';

/** How long a job that goes back to its queue stays away. */
export interface DelayOption {
  /** 0 (the default) or a positive finite number. */
  readonly delaySeconds?: number;
}

/**
 * Settles deliveries, one at a time. Each method resolves when the server has answered that it applied the settlement.
 *
 * Errors: `StaleJobHandleException` (nothing was written), `ServerRefused` (not applied, may be tried again), another
 * `QueueServerException` (unknown whether it was applied).
 */
export class Settler {
  readonly #backend: QueueBackend;
  /** Deliveries whose follow-ups are stored already: an ack that is sent again must not store them again. */
  readonly #continued = new WeakSet<QueuedJob>();

  constructor(backend: QueueBackend) {
    this.#backend = backend;
  }

  /**
   * The job is done. What follows it, the next job of its chain, is stored in the same step where the backend can, else
   * before: it may then run twice, and is never lost. `stored` is called where they are stored before the ack.
   */
  ack(
    job: QueuedJob,
    followUps: readonly NewJob[] = followUpsOf(job, null),
    stored?: () => void,
  ): Promise<void> {
    const { handle: receipt } = job;
    if (this.#inOneStep(job, followUps)) return this.#settle(job, { operation: 'ack', receipt, followUps });
    return this.#ackAfter(job, followUps, stored);
  }

  /** Another attempt, after `delaySeconds`. */
  async release(job: QueuedJob, options: DelayOption = {}): Promise<void> {
    await this.#return(job, 'release', { attempts: job.header.attempts + 1 }, options);
  }

  /** Back to the queue without spending an attempt, before everything else there, for one round. */
  async defer(job: QueuedJob, options: DelayOption = {}): Promise<void> {
    const deferrals = job.header.deferrals + 1;
    const ordered = this.#backend.capabilities.priorityLevels !== 'none';
    await this.#return(job, 'defer', ordered ? { deferrals, rank: DEFERRED_RANK } : { deferrals }, options);
  }

  /** Back to the queue as if it had never been delivered, where the backend can; `changes` are the worker's own. */
  async giveBack(job: QueuedJob, options: DelayOption = {}, changes: HeaderChanges = {}): Promise<void> {
    await this.#return(job, 'release', changes, options);
  }

  /** The job is given up on. `secrets` are taken out of what is kept of the error. */
  async fail(
    job: QueuedJob,
    error: unknown,
    cause: FailureCause = 'fatal',
    secrets: readonly string[] = [],
  ): Promise<void> {
    const failure = failureOf(error, cause, secrets);
    await this.#settle(job, { operation: 'fail', receipt: job.handle, failure });
  }

  /** The lease ends `seconds` from now. Refused where there is no lease. */
  async extend(job: QueuedJob, options: { readonly seconds: number }): Promise<void> {
    assertPositiveSeconds(options.seconds, 'extend(): seconds');
    if (!this.#backend.capabilities.extend) {
      throw new InvalidQueueArgumentException(
        `extend(): the backend "${this.#backend.driver}" has no leases; a delivery there ends only with its connection.`,
      );
    }
    await this.#settle(job, { operation: 'extend', receipt: job.handle, seconds: options.seconds });
  }

  async #ackAfter(
    job: QueuedJob,
    followUps: readonly NewJob[],
    stored: (() => void) | undefined,
  ): Promise<void> {
    if (!this.#continued.has(job)) {
      await this.#storeBeforeAck(followUps);
      stored?.();
      this.#continued.add(job);
    }
    await this.#settle(job, { operation: 'ack', receipt: job.handle, followUps: [] });
  }

  #inOneStep(job: QueuedJob, followUps: readonly NewJob[]): boolean {
    if (followUps.length === 0) return true;
    const { atomicFollowUps } = this.#backend.capabilities;
    if (atomicFollowUps !== 'same-queue') return atomicFollowUps;
    return followUps.every(({ queue }) => queue === job.queue);
  }

  async #storeBeforeAck(followUps: readonly NewJob[]): Promise<void> {
    for (const outcome of await this.#backend.store(followUps)) {
      if ('error' in outcome) throw outcome.error;
    }
  }

  async #return(
    job: QueuedJob,
    operation: 'release' | 'defer',
    changes: HeaderChanges,
    { delaySeconds = 0 }: DelayOption,
  ): Promise<void> {
    assertDelaySeconds(delaySeconds, `${operation}(): delaySeconds`);
    const longest = this.#backend.capabilities.maxReleaseDelaySeconds;
    if (delaySeconds > longest) {
      throw new InvalidQueueArgumentException(
        `${operation}(): delaySeconds: expected at most ${longest} on the backend "${this.#backend.driver}", ` +
          `came ${delaySeconds}.`,
      );
    }
    await this.#settle(job, { operation, receipt: job.handle, changes, delaySeconds });
  }

  async #settle(job: QueuedJob, settlement: Settlement): Promise<void> {
    const outcome = (await this.#backend.settle([settlement]))[0];
    if (outcome === undefined) throw new TypeError('A backend answered no outcome to a settlement.');
    if (outcome.status === 'applied') return;
    if (outcome.status === 'stale') {
      throw new StaleJobHandleException(settlement.operation, job.queue, job.id);
    }
    throw outcome.error;
  }
}
