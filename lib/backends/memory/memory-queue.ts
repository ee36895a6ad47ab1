import type { HeaderChanges, NewJob, QueueCounts } from '../../contract/index.js';
import { BinaryHeap } from './binary-heap.js';
import { changeHeader, type MemoryEntry, rankOf } from './memory-entry.js';

/** One queue: jobs in order of rank and place, delayed ones by time, reserved ones by their leases. */
export class MemoryQueue {
  readonly #ready = new BinaryHeap<MemoryEntry>((a, b) => {
    const rankA = rankOf(a);
    const rankB = rankOf(b);
    return rankA === rankB ? a.seq < b.seq : rankA > rankB;
  });
  readonly #delayed = new BinaryHeap<MemoryEntry>((a, b) => a.dueAt < b.dueAt);
  readonly #reserved = new Set<MemoryEntry>();
  readonly #keys = new Map<string, MemoryEntry>();
  /** No lease ends before this; spares a look at every reservation on every sweep. */
  #nextExpiry = Infinity;

  get empty(): boolean {
    return this.#ready.size + this.#delayed.size + this.#reserved.size === 0;
  }

  /**
   * When there may be work: a time that has passed while a job is ready, else when the next delayed job or lease falls
   * due; Infinity when nothing will.
   */
  get nextDueAt(): number {
    if (this.paused) return Infinity;
    if (this.#ready.size > 0) return -Infinity;
    return Math.min(this.#nextExpiry, this.#delayed.peek()?.dueAt ?? Infinity);
  }

  holdsKey(key: string | null): boolean {
    return key !== null && this.#keys.has(key);
  }

  /** Held back from every worker; pushes and settlements go on. */
  paused = false;

  add(job: NewJob, seq: number, now: number): void {
    const entry: MemoryEntry = {
      id: job.id,
      queue: job.queue,
      body: job.body,
      seq,
      header: job.header,
      serial: 0,
      state: 'ready',
      dueAt: now,
    };
    this.#holdKey(entry);
    this.#place(entry, now, job.delaySeconds);
  }

  /** Puts a job that had failed back, as if it had just been pushed; its serial goes on. */
  restore(entry: MemoryEntry, now: number): void {
    const priority = entry.header?.priority ?? 0;
    changeHeader(entry, { attempts: 0, deferrals: 0, graceRounds: 0, rank: priority });
    this.#holdKey(entry);
    this.#place(entry, now, 0);
  }

  /** Brings due jobs and expired leases back among the ready ones. A lost lease counts as an attempt. */
  sweep(now: number): void {
    for (let due = this.#delayed.peek(); due !== undefined && due.dueAt <= now; due = this.#delayed.peek()) {
      this.#delayed.pop();
      due.state = 'ready';
      this.#ready.push(due);
    }
    if (this.#nextExpiry > now) return;
    this.#nextExpiry = Infinity;
    for (const entry of this.#reserved) {
      if (entry.dueAt <= now) this.#reclaim(entry);
      else this.#nextExpiry = Math.min(this.#nextExpiry, entry.dueAt);
    }
  }

  /** Takes the first ready job; its lease has to be set then. */
  take(): MemoryEntry | undefined {
    const entry = this.#ready.pop();
    if (entry === undefined) return undefined;
    const priority = entry.header?.priority;
    // A deferral's precedence lasts one round.
    changeHeader(entry, priority === undefined ? {} : { rank: priority });
    entry.state = 'reserved';
    this.#reserved.add(entry);
    return entry;
  }

  lease(entry: MemoryEntry, now: number, seconds: number): void {
    entry.dueAt = now + seconds * 1_000;
    this.#nextExpiry = Math.min(this.#nextExpiry, entry.dueAt);
  }

  /** Puts a reserved job back with changes to its header. */
  giveBack(entry: MemoryEntry, changes: HeaderChanges, now: number, delaySeconds: number): void {
    this.#reserved.delete(entry);
    changeHeader(entry, changes);
    this.#place(entry, now, delaySeconds);
  }

  /** Removes a reserved job. */
  remove(entry: MemoryEntry): void {
    this.#reserved.delete(entry);
    this.#drop(entry);
  }

  /** Everything that is here, in no particular order. */
  entries(): readonly MemoryEntry[] {
    return [...this.#ready.values(), ...this.#delayed.values(), ...this.#reserved];
  }

  /** Removes one ready or delayed job; false for one that is reserved or gone. */
  discard(entry: MemoryEntry): boolean {
    if (!this.#ready.remove(entry) && !this.#delayed.remove(entry)) return false;
    this.#drop(entry);
    return true;
  }

  /** Makes a delayed job ready; false for any other. */
  promote(entry: MemoryEntry, now: number): boolean {
    if (!this.#delayed.remove(entry)) return false;
    this.#place(entry, now, 0);
    return true;
  }

  /** Removes ready and delayed jobs, and returns how many. */
  clear(): number {
    const removed = [...this.#ready.drain(), ...this.#delayed.drain()];
    for (const entry of removed) this.#drop(entry);
    return removed.length;
  }

  count(now: number): QueueCounts {
    let expired = 0;
    let oldest = Infinity;
    for (const entry of this.#reserved) {
      if (entry.dueAt > now) continue;
      expired += 1;
      oldest = Math.min(oldest, entry.dueAt);
    }
    let due = 0;
    for (const entry of this.#delayed.values()) {
      if (entry.dueAt > now) continue;
      due += 1;
      oldest = Math.min(oldest, entry.dueAt);
    }
    for (const entry of this.#ready.values()) oldest = Math.min(oldest, entry.dueAt);
    return {
      ready: this.#ready.size + due + expired,
      delayed: this.#delayed.size - due,
      reserved: this.#reserved.size - expired,
      failed: null,
      oldestReadySeconds: oldest === Infinity ? null : Math.max(0, (now - oldest) / 1_000),
      paused: this.paused,
    };
  }

  #reclaim(entry: MemoryEntry): void {
    this.#reserved.delete(entry);
    const attempts = entry.header?.attempts;
    // What is no count stays what it is: adding to it could make it one, and the decoder would not refuse it.
    const counts = attempts !== undefined && Number.isInteger(attempts) && attempts >= 0;
    changeHeader(entry, counts ? { attempts: attempts + 1 } : {});
    entry.state = 'ready';
    this.#ready.push(entry);
  }

  #place(entry: MemoryEntry, now: number, delaySeconds: number): void {
    entry.dueAt = now + Math.ceil(delaySeconds * 1_000);
    entry.state = delaySeconds > 0 ? 'delayed' : 'ready';
    (delaySeconds > 0 ? this.#delayed : this.#ready).push(entry);
  }

  #holdKey(entry: MemoryEntry): void {
    const key = entry.header?.uniqueKey ?? null;
    if (key !== null) this.#keys.set(key, entry);
  }

  #drop(entry: MemoryEntry): void {
    entry.state = 'gone';
    const key = entry.header?.uniqueKey ?? null;
    if (key !== null && this.#keys.get(key) === entry) this.#keys.delete(key);
  }
}
