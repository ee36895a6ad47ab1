import {
  type BackendContext,
  type Capabilities,
  type NewJob,
  type QueueBackend,
  type QueueCounts,
  QueueNotConsumableException,
  type ReservedItem,
  type SettleOutcome,
  type StoreOutcome,
} from '../../contract/index.js';

export const SYNC_CAPABILITIES: Capabilities = {
  durable: false,
  delivers: false,
  fencedSettlement: false,
  priorityLevels: 'none',
  unique: false,
  maxPushDelaySeconds: Infinity,
  maxReleaseDelaySeconds: Infinity,
  delayGranularitySeconds: 0,
  exactCounts: true,
  clear: false,
  failedJobs: 'no',
  browse: false,
  extend: false,
  pause: false,
  transactionalPush: false,
  listQueues: false,
  countsCrashes: false,
  freeDeferral: false,
  keepsOrder: false,
  keepsPlace: false,
  atomicFollowUps: false,
  atomicPushMany: false,
  pushDelivery: false,
};

/** Runs each job inside its push: nothing is ever stored, so there is nothing to reserve, count or settle. */
export class SyncBackend implements QueueBackend {
  readonly driver = 'sync';
  readonly capabilities = SYNC_CAPABILITIES;
  readonly leaseSeconds = null;
  readonly #context: BackendContext;

  constructor(context: BackendContext) {
    this.#context = context;
  }

  async connect(): Promise<void> {}

  /** One after the other, in order; the job's own error is the entry's. */
  async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    const outcomes: StoreOutcome[] = [];
    for (const job of jobs) outcomes.push(await this.#run(job));
    return outcomes;
  }

  async reserve(): Promise<readonly ReservedItem[]> {
    throw this.#refusal();
  }

  async waitForWork(): Promise<readonly ReservedItem[]> {
    throw this.#refusal();
  }

  async settle(): Promise<readonly SettleOutcome[]> {
    throw this.#refusal();
  }

  async count(): Promise<QueueCounts> {
    return { ready: 0, delayed: 0, reserved: 0, failed: 0, oldestReadySeconds: null, paused: false };
  }

  async close(): Promise<void> {}

  async #run(job: NewJob): Promise<StoreOutcome> {
    try {
      await this.#context.runInline(job);
      return { status: 'applied' };
    } catch (error) {
      // A handler may throw anything; the queue throws this again as it is.
      return { status: 'refused', error: error as Error };
    }
  }

  #refusal(): QueueNotConsumableException {
    return new QueueNotConsumableException(
      `The connection "${this.#context.connection}" runs each job inside its push: there is nothing to reserve or settle.`,
    );
  }
}
