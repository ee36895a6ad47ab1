import {
  type BrowsePage,
  type BrowseQuery,
  type BrowsingBackend,
  canBrowse,
  canListQueues,
  canPause,
  type Capabilities,
  type ClearingBackend,
  type FailedJobsBackend,
  type FailedJobsPage,
  type FailedJobsQuery,
  isClearing,
  keepsFailedJobs,
  type ListingBackend,
  type NewJob,
  type PausingBackend,
  type QueueBackend,
  type QueueCounts,
  type ReservedItem,
  type RetryAllResult,
  type RetryOutcome,
  type SettleOutcome,
  type Settlement,
  type StoredFailedJob,
  type StoredJob,
  type StoreOutcome,
  type WaitOptions,
} from '../../../../lib/contract/index.js';

type EveryPart = ClearingBackend & ListingBackend & PausingBackend & FailedJobsBackend & BrowsingBackend;

function hasEveryPart(backend: QueueBackend): backend is EveryPart {
  return [isClearing, canListQueues, canPause, keepsFailedJobs, canBrowse].every((has) => has(backend));
}

/** Hands every call on to a good backend; a mutant overrides the one that it breaks. */
export class ForwardingBackend
  implements ClearingBackend, ListingBackend, PausingBackend, FailedJobsBackend, BrowsingBackend
{
  readonly driver: string;
  readonly capabilities: Capabilities;
  protected readonly inner: EveryPart;

  constructor(inner: QueueBackend) {
    if (!hasEveryPart(inner)) throw new TypeError('Expected a backend with every optional part.');
    this.inner = inner;
    this.driver = inner.driver;
    this.capabilities = inner.capabilities;
  }

  connect(): Promise<void> {
    return this.inner.connect();
  }

  store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return this.inner.store(jobs);
  }

  reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    return this.inner.reserve(queues, limit);
  }

  waitForWork(queues: readonly string[], options: WaitOptions): Promise<readonly ReservedItem[]> {
    return this.inner.waitForWork(queues, options);
  }

  settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return this.inner.settle(settlements);
  }

  count(queue: string): Promise<QueueCounts> {
    return this.inner.count(queue);
  }

  clear(queue: string): Promise<number> {
    return this.inner.clear(queue);
  }

  queues(): Promise<readonly string[]> {
    return this.inner.queues();
  }

  pauseQueue(queue: string): Promise<void> {
    return this.inner.pauseQueue(queue);
  }

  resumeQueue(queue: string): Promise<void> {
    return this.inner.resumeQueue(queue);
  }

  listFailed(query: FailedJobsQuery): Promise<FailedJobsPage> {
    return this.inner.listFailed(query);
  }

  findFailed(id: string): Promise<StoredFailedJob | null> {
    return this.inner.findFailed(id);
  }

  retryFailed(id: string): Promise<RetryOutcome> {
    return this.inner.retryFailed(id);
  }

  retryAllFailed(queue?: string): Promise<RetryAllResult> {
    return this.inner.retryAllFailed(queue);
  }

  forgetFailed(id: string): Promise<boolean> {
    return this.inner.forgetFailed(id);
  }

  flushFailed(queue?: string): Promise<number> {
    return this.inner.flushFailed(queue);
  }

  listJobs(query: BrowseQuery): Promise<BrowsePage> {
    return this.inner.listJobs(query);
  }

  findJob(queue: string, id: string): Promise<StoredJob | null> {
    return this.inner.findJob(queue, id);
  }

  removeJob(queue: string, id: string): Promise<boolean> {
    return this.inner.removeJob(queue, id);
  }

  promoteJob(queue: string, id: string): Promise<boolean> {
    return this.inner.promoteJob(queue, id);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  /** Takes a delivery out of the good backend behind everyone's back. */
  protected async discard({ receipt }: ReservedItem): Promise<void> {
    await this.inner.settle([{ operation: 'ack', receipt, followUps: [] }]);
  }

  /** Gives a delivery back to the good backend behind everyone's back. */
  protected async giveBack({ receipt }: ReservedItem): Promise<void> {
    await this.inner.settle([{ operation: 'release', receipt, changes: {}, delaySeconds: 0 }]);
  }
}
