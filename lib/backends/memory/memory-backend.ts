import {
  type BrowsePage,
  type BrowseQuery,
  type BrowsingBackend,
  type Capabilities,
  type ClearingBackend,
  type FailedJobsBackend,
  type FailedJobsPage,
  type FailedJobsQuery,
  type FailedJobsRetention,
  leaseSecondsOf,
  type ListingBackend,
  type NewJob,
  type PausingBackend,
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
} from '../../contract/index.js';
import { browseMemory, storedJob } from './browse-memory.js';
import type { MemoryEntry, MemoryReceipt } from './memory-entry.js';
import { MemoryFailedJobs } from './memory-failed-jobs.js';
import { MemoryQueue } from './memory-queue.js';
import { WorkSignal } from './work-signal.js';

/** Where the memory backend reads the time: milliseconds, as `Date.now()` gives them. */
export interface MemoryClock {
  now(): number;
}

export const MEMORY_CAPABILITIES: Capabilities = {
  durable: false,
  delivers: true,
  fencedSettlement: true,
  priorityLevels: 'full',
  unique: true,
  maxPushDelaySeconds: Infinity,
  maxReleaseDelaySeconds: Infinity,
  delayGranularitySeconds: 0.001,
  exactCounts: true,
  clear: true,
  failedJobs: 'yes',
  browse: true,
  extend: true,
  pause: true,
  transactionalPush: false,
  listQueues: true,
  countsCrashes: true,
  freeDeferral: true,
  keepsOrder: true,
  keepsPlace: true,
  atomicFollowUps: true,
  atomicPushMany: true,
  pushDelivery: false,
};

/** An injected clock may be moved by hand, so a wait is never longer than this before the next sweep. */
const MAX_PAUSE_MS = 1_000;
const APPLIED = { status: 'applied' } as const;
const STALE = { status: 'stale' } as const;

/** Jobs in this process: lost with it, by design. Every step is synchronous and therefore atomic. */
export class MemoryBackend
  implements ClearingBackend, ListingBackend, FailedJobsBackend, BrowsingBackend, PausingBackend
{
  readonly driver = 'memory';
  readonly capabilities: Capabilities;
  readonly leaseSeconds: number;
  readonly #clock: MemoryClock;
  readonly #failed: MemoryFailedJobs | null;
  readonly #queues = new Map<string, MemoryQueue>();
  readonly #work = new WorkSignal();
  #seq = 0;

  constructor(leaseSeconds: number, clock: MemoryClock, retention: FailedJobsRetention | null) {
    this.leaseSeconds = leaseSeconds;
    this.#clock = clock;
    this.#failed = retention === null ? null : new MemoryFailedJobs(retention);
    this.capabilities =
      retention === null ? { ...MEMORY_CAPABILITIES, failedJobs: 'no' } : MEMORY_CAPABILITIES;
  }

  async connect(): Promise<void> {}

  async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    return jobs.map((job) => this.#add(job));
  }

  async reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    const now = this.#clock.now();
    const items: ReservedItem[] = [];
    for (const name of queues) {
      const queue = this.#queues.get(name);
      if (queue === undefined || queue.paused) continue;
      queue.sweep(now);
      while (items.length < limit) {
        const leased = this.#take(queue, now);
        if (leased === null) break;
        items.push(leased);
      }
      if (items.length >= limit) break;
    }
    return items;
  }

  async waitForWork(
    queues: readonly string[],
    { timeoutMs, signal }: WaitOptions,
  ): Promise<readonly ReservedItem[]> {
    const dueAt = Math.min(...queues.map((name) => this.#queues.get(name)?.nextDueAt ?? Infinity));
    const untilDueMs = dueAt - this.#clock.now();
    // A push may have come after the sweep that found nothing, too early to wake this wait.
    if (untilDueMs > 0) await this.#work.wait(Math.min(timeoutMs, MAX_PAUSE_MS, untilDueMs), signal);
    return [];
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return settlements.map((settlement) => this.#settle(settlement));
  }

  async count(queue: string): Promise<QueueCounts> {
    const counts = (this.#queues.get(queue) ?? new MemoryQueue()).count(this.#clock.now());
    return { ...counts, failed: this.#failed?.count(queue) ?? null };
  }

  async clear(queue: string): Promise<number> {
    return this.#queues.get(queue)?.clear() ?? 0;
  }

  async queues(): Promise<readonly string[]> {
    return [...this.#queues]
      .filter(([, queue]) => !queue.empty)
      .map(([name]) => name)
      .sort();
  }

  async pauseQueue(queue: string): Promise<void> {
    this.#queue(queue).paused = true;
  }

  async resumeQueue(queue: string): Promise<void> {
    this.#queue(queue).paused = false;
    this.#work.notify();
  }

  async listFailed(query: FailedJobsQuery): Promise<FailedJobsPage> {
    return this.#failed?.list(query) ?? { jobs: [], cursor: null };
  }

  async findFailed(id: string): Promise<StoredFailedJob | null> {
    return this.#failed?.find(id) ?? null;
  }

  async retryFailed(id: string): Promise<RetryOutcome> {
    const entry = this.#failed?.entry(id);
    if (entry === undefined) return 'missing';
    const queue = this.#queue(entry.queue);
    if (queue.holdsKey(entry.header?.uniqueKey ?? null)) return 'duplicate';
    this.#failed?.remove(id);
    queue.restore(entry, this.#clock.now());
    this.#work.notify();
    return 'retried';
  }

  async retryAllFailed(queue?: string): Promise<RetryAllResult> {
    const ids = this.#failed?.ids(queue) ?? [];
    const outcomes = await Promise.all(ids.map((id) => this.retryFailed(id)));
    const count = (wanted: RetryOutcome): number => outcomes.filter((outcome) => outcome === wanted).length;
    return { retried: count('retried'), duplicates: count('duplicate') };
  }

  async forgetFailed(id: string): Promise<boolean> {
    return this.#failed?.remove(id) ?? false;
  }

  async flushFailed(queue?: string): Promise<number> {
    const ids = this.#failed?.ids(queue) ?? [];
    for (const id of ids) this.#failed?.remove(id);
    return ids.length;
  }

  async listJobs(query: BrowseQuery): Promise<BrowsePage> {
    return browseMemory(this.#queue(query.queue), query, this.#clock.now());
  }

  async findJob(queue: string, id: string): Promise<StoredJob | null> {
    const entry = this.#find(queue, id);
    return entry === undefined ? null : storedJob(entry, this.#clock.now());
  }

  async removeJob(queue: string, id: string): Promise<boolean> {
    const entry = this.#find(queue, id);
    return entry !== undefined && this.#queue(queue).discard(entry);
  }

  async promoteJob(queue: string, id: string): Promise<boolean> {
    const entry = this.#find(queue, id);
    if (entry === undefined || !this.#queue(queue).promote(entry, this.#clock.now())) return false;
    this.#work.notify();
    return true;
  }

  async close(): Promise<void> {
    this.#work.notify();
  }

  #find(queue: string, id: string): MemoryEntry | undefined {
    return this.#queues
      .get(queue)
      ?.entries()
      .find((entry) => entry.id === id);
  }

  #add(job: NewJob): StoreOutcome {
    const queue = this.#queue(job.queue);
    if (queue.holdsKey(job.header?.uniqueKey ?? null)) return { status: 'duplicate' };
    this.#seq += 1;
    queue.add(job, this.#seq, this.#clock.now());
    this.#work.notify();
    return APPLIED;
  }

  #take(queue: MemoryQueue, now: number): ReservedItem | null {
    const entry = queue.take();
    if (entry === undefined) return null;
    const leaseSeconds = leaseSecondsOf(entry.header?.leaseSeconds, this.leaseSeconds);
    queue.lease(entry, now, leaseSeconds);
    const receipt: MemoryReceipt = { entry, serial: entry.serial };
    return { queue: entry.queue, receipt, header: entry.header, body: entry.body, leaseSeconds };
  }

  #settle(settlement: Settlement): SettleOutcome {
    const { entry, serial } = settlement.receipt as MemoryReceipt;
    if (entry.state !== 'reserved' || entry.serial !== serial) return STALE;
    const queue = this.#queue(entry.queue);
    if (settlement.operation === 'ack') {
      queue.remove(entry);
      for (const followUp of settlement.followUps) this.#add(followUp);
      return APPLIED;
    }
    const now = this.#clock.now();
    switch (settlement.operation) {
      case 'fail':
        queue.remove(entry);
        this.#failed?.add(entry, settlement.failure, now);
        return APPLIED;
      case 'extend':
        queue.lease(entry, now, settlement.seconds);
        break;
      default:
        queue.giveBack(entry, settlement.changes, now, settlement.delaySeconds);
    }
    // A waiter sleeps until what it knew to fall due next; that may be sooner now.
    this.#work.notify();
    return APPLIED;
  }

  #queue(name: string): MemoryQueue {
    let queue = this.#queues.get(name);
    if (queue === undefined) this.#queues.set(name, (queue = new MemoryQueue()));
    return queue;
  }
}
