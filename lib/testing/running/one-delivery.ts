import {
  type Capabilities,
  type JobHeader,
  leaseSecondsOf,
  type NewJob,
  type QueueBackend,
  type QueueCounts,
  type ReservedItem,
  type SettleOutcome,
  type Settlement,
  type StoreOutcome,
} from '../../contract/index.js';

const APPLIED = { status: 'applied' } as const;

/** Keeps one job, hands it out once, and applies whatever it is settled with. It stands in for a backend and its limits. */
export class OneDelivery implements QueueBackend {
  readonly driver: string;
  readonly capabilities: Capabilities;
  readonly leaseSeconds: number | null;
  readonly #changes: Pick<JobHeader, 'attempts' | 'deferrals'>;
  #job: NewJob | null = null;

  constructor(model: QueueBackend, changes: Pick<JobHeader, 'attempts' | 'deferrals'>) {
    const { capabilities } = model;
    this.driver = model.driver;
    this.capabilities = { ...capabilities, delivers: true, pushDelivery: false, atomicFollowUps: true };
    // One that runs a job inside its push accepts every option.
    if (!capabilities.delivers) Object.assign(this.capabilities, { unique: true, priorityLevels: 'full' });
    this.leaseSeconds = model.leaseSeconds ?? null;
    this.#changes = changes;
  }

  /** What was stored. */
  get job(): NewJob | null {
    return this.#job;
  }

  async connect(): Promise<void> {}

  async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    this.#job = jobs[0] ?? null;
    return jobs.map(() => APPLIED);
  }

  async reserve(): Promise<readonly ReservedItem[]> {
    if (this.#job === null) return [];
    const { queue, header, body } = this.#job;
    const { leaseSeconds } = this;
    return [
      {
        queue,
        receipt: null,
        header: { ...header, ...this.#changes, serial: 1 },
        body,
        leaseSeconds: leaseSeconds === null ? null : leaseSecondsOf(header.leaseSeconds, leaseSeconds),
      },
    ];
  }

  async waitForWork(): Promise<readonly ReservedItem[]> {
    return [];
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return settlements.map(() => APPLIED);
  }

  async count(): Promise<QueueCounts> {
    return { ready: 0, delayed: 0, reserved: 0, failed: null, oldestReadySeconds: null, paused: false };
  }

  async close(): Promise<void> {}
}
