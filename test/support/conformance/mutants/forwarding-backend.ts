import type {
  ClearingBackend,
  ListingBackend,
  NewJob,
  QueueBackend,
  QueueCounts,
  ReservedItem,
  SettleOutcome,
  Settlement,
  StoreOutcome,
  WaitOptions,
} from '../../../../lib/contract/index.js';
import { canListQueues, isClearing } from '../../../../lib/contract/index.js';

/** Hands every call on to a good backend; a mutant overrides the one that it breaks. */
export class ForwardingBackend implements ClearingBackend, ListingBackend {
  readonly driver: string;
  readonly capabilities;

  constructor(protected readonly inner: QueueBackend) {
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
    if (!isClearing(this.inner)) throw new TypeError('Expected a backend that can clear.');
    return this.inner.clear(queue);
  }

  queues(): Promise<readonly string[]> {
    if (!canListQueues(this.inner)) throw new TypeError('Expected a backend that can list its queues.');
    return this.inner.queues();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  /** Takes a delivery out of the good backend behind everyone's back. */
  protected async discard(item: Pick<ReservedItem, 'receipt'>): Promise<void> {
    await this.inner.settle([{ operation: 'ack', receipt: item.receipt, followUps: [] }]);
  }

  /** Gives a delivery back to the good backend behind everyone's back. */
  protected async giveBack(item: Pick<ReservedItem, 'receipt'>): Promise<void> {
    const { receipt } = item;
    await this.inner.settle([{ operation: 'release', receipt, changes: {}, delaySeconds: 0 }]);
  }
}
