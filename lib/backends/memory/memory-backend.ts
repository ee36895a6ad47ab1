import type {
  Capabilities,
  ClearingBackend,
  ListingBackend,
  NewJob,
  QueueCounts,
  ReservedItem,
  SettleOutcome,
  Settlement,
  StoreOutcome,
  WaitOptions,
} from '../../contract/index.js';
import type { MemoryReceipt } from './memory-entry.js';
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
  failedJobs: 'no',
  browse: false,
  extend: true,
  pause: false,
  transactionalPush: false,
  listQueues: true,
  countsCrashes: true,
  freeDeferral: true,
  keepsPlace: true,
  atomicFollowUps: true,
  atomicPushMany: true,
};

/** An injected clock may be moved by hand, so a wait is never longer than this before the next sweep. */
const MAX_PAUSE_MS = 1_000;
const APPLIED = { status: 'applied' } as const;
const STALE = { status: 'stale' } as const;

/** Jobs in this process: lost with it, by design. Every step is synchronous and therefore atomic. */
export class MemoryBackend implements ClearingBackend, ListingBackend {
  readonly driver = 'memory';
  readonly capabilities = MEMORY_CAPABILITIES;
  readonly #clock: MemoryClock;
  readonly #leaseSeconds: number;
  readonly #queues = new Map<string, MemoryQueue>();
  readonly #work = new WorkSignal();
  #seq = 0;

  constructor(leaseSeconds: number, clock: MemoryClock) {
    this.#leaseSeconds = leaseSeconds;
    this.#clock = clock;
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
      if (queue === undefined) continue;
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
    const untilDueMs = Math.max(1, dueAt - this.#clock.now());
    await this.#work.wait(Math.min(timeoutMs, MAX_PAUSE_MS, untilDueMs), signal);
    return [];
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    return settlements.map((settlement) => this.#settle(settlement));
  }

  async count(queue: string): Promise<QueueCounts> {
    return (this.#queues.get(queue) ?? new MemoryQueue()).count(this.#clock.now());
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

  async close(): Promise<void> {
    this.#work.notify();
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
    const entry = queue.take(now, this.#leaseSeconds);
    if (entry === undefined) return null;
    const own: unknown = entry.header?.leaseSeconds;
    const leaseSeconds = typeof own === 'number' && own > 0 ? own : this.#leaseSeconds;
    if (leaseSeconds !== this.#leaseSeconds) queue.lease(entry, now, leaseSeconds);
    const receipt: MemoryReceipt = { entry, serial: entry.serial };
    return { queue: entry.queue, receipt, header: entry.header, body: entry.body, leaseSeconds };
  }

  #settle(settlement: Settlement): SettleOutcome {
    const { entry, serial } = settlement.receipt as MemoryReceipt;
    if (entry.state !== 'reserved' || entry.serial !== serial) return STALE;
    const now = this.#clock.now();
    const queue = this.#queue(entry.queue);
    switch (settlement.operation) {
      case 'ack':
        queue.remove(entry);
        for (const followUp of settlement.followUps) this.#add(followUp);
        return APPLIED;
      case 'fail':
        queue.remove(entry);
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
