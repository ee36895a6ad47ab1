import type { MemoryBackend } from '../../../lib/backends/memory/memory-backend.js';
import {
  type BrowsePage,
  type BrowseQuery,
  type BrowsingBackend,
  type Capabilities,
  type ClearingBackend,
  type FailedJobsBackend,
  type FailedJobsPage,
  type FailedJobsQuery,
  type ListingBackend,
  MAX_FAILED_SCAN,
  type PausingBackend,
  type RetryAllResult,
  type RetryOutcome,
  type SettleOutcome,
  type Settlement,
  type StoredFailedJob,
  type StoredJob,
} from '../../../lib/contract/index.js';
import { Server } from './server.js';

export interface CrippledOptions {
  /** How many entries go into one request. */
  readonly batchSize: number;
  /** Waiting and receiving are one operation. */
  readonly longPoll: boolean;
  /** Returning a job, or giving it up, is a publish and then a settlement. */
  readonly twoStep: boolean;
}

type Parts = ClearingBackend & ListingBackend & PausingBackend & FailedJobsBackend & BrowsingBackend;
type OptionalParts = Omit<Parts, 'store' | 'reserve' | 'waitForWork' | 'settle' | 'count'>;

/** The optional parts of the contract: what is not offered cannot be called. */
export class CrippledStore implements OptionalParts {
  readonly driver = 'crippled';
  readonly capabilities: Capabilities;
  protected readonly inner: MemoryBackend;
  protected readonly options: CrippledOptions;
  readonly server: Server;

  constructor(inner: MemoryBackend, capabilities: Capabilities, options: CrippledOptions) {
    this.inner = inner;
    this.capabilities = capabilities;
    this.options = options;
    this.server = new Server(options.batchSize);
  }

  connect(): Promise<void> {
    return this.inner.connect();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async clear(queue: string): Promise<number> {
    this.require('clear');
    return this.inner.clear(queue);
  }

  async queues(): Promise<readonly string[]> {
    this.require('listQueues');
    return this.inner.queues();
  }

  async pauseQueue(queue: string): Promise<void> {
    this.require('pause');
    return this.inner.pauseQueue(queue);
  }

  async resumeQueue(queue: string): Promise<void> {
    this.require('pause');
    return this.inner.resumeQueue(queue);
  }

  async listJobs(query: BrowseQuery): Promise<BrowsePage> {
    this.require('browse');
    return this.inner.listJobs(query);
  }

  async findJob(queue: string, id: string): Promise<StoredJob | null> {
    this.require('browse');
    return this.inner.findJob(queue, id);
  }

  async removeJob(queue: string, id: string): Promise<boolean> {
    this.require('browse');
    return this.inner.removeJob(queue, id);
  }

  async promoteJob(queue: string, id: string): Promise<boolean> {
    this.require('browse');
    return this.inner.promoteJob(queue, id);
  }

  /** Where failed jobs are scanned: oldest first, from the start, one queue at a time. */
  async listFailed(query: FailedJobsQuery): Promise<FailedJobsPage> {
    this.#requireFailed(query.queue);
    if (this.capabilities.failedJobs === 'yes') return this.inner.listFailed(query);
    if (query.limit > MAX_FAILED_SCAN || query.cursor !== undefined)
      throw new TypeError('Not to be scanned.');
    const { jobs } = await this.inner.listFailed({ ...query, limit: MAX_FAILED_SCAN });
    return { jobs: jobs.toReversed().slice(0, query.limit), cursor: null };
  }

  async findFailed(id: string, queue?: string): Promise<StoredFailedJob | null> {
    this.#requireFailed(queue);
    const failed = await this.inner.findFailed(id);
    return this.capabilities.failedJobs === 'yes' || failed?.queue === queue ? failed : null;
  }

  async retryFailed(id: string, queue?: string): Promise<RetryOutcome> {
    if ((await this.findFailed(id, queue)) === null) return 'missing';
    this.forgotten(id);
    return this.inner.retryFailed(id);
  }

  async retryAllFailed(queue?: string): Promise<RetryAllResult> {
    this.#requireFailed(queue);
    const { jobs } = await this.listFailed({
      limit: MAX_FAILED_SCAN,
      ...(queue === undefined ? {} : { queue }),
    });
    for (const { id } of jobs) this.forgotten(id);
    return this.inner.retryAllFailed(queue);
  }

  async forgetFailed(id: string, queue?: string): Promise<boolean> {
    return (await this.findFailed(id, queue)) !== null && this.inner.forgetFailed(id);
  }

  async flushFailed(queue?: string): Promise<number> {
    this.#requireFailed(queue);
    return this.inner.flushFailed(queue);
  }

  protected require(capability: 'clear' | 'listQueues' | 'pause' | 'browse' | 'pushDelivery'): void {
    if (!this.capabilities[capability]) throw new TypeError(`This backend has no ${capability}.`);
  }

  protected async settleOne(settlement: Settlement): Promise<SettleOutcome> {
    const [outcome] = await this.inner.settle([settlement]);
    return outcome as SettleOutcome;
  }

  /** A job starts over: how often it was received is forgotten. */
  protected forgotten(_id: string): void {}

  #requireFailed(queue: string | undefined): void {
    const { failedJobs } = this.capabilities;
    if (failedJobs === 'no') throw new TypeError('This backend keeps no failed jobs.');
    if (failedJobs === 'scan' && queue === undefined) throw new TypeError('Expected a queue to scan.');
  }
}
