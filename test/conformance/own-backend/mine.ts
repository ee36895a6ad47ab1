import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type BackendFactory,
  type Capabilities,
  type ClearingBackend,
  type JobHeader,
  type ListingBackend,
  type NewJob,
  type QueueCounts,
  type ReservedItem,
  ServerRefused,
  type Settlement,
  type SettleOutcome,
  type StoreOutcome,
  type WaitOptions,
} from '@kinetis/nestjs-queue';

export const MY_CAPABILITIES: Capabilities = {
  durable: true,
  delivers: true,
  fencedSettlement: true, // a receipt holds the serial, and settle() compares it
  priorityLevels: 'full',
  unique: false,
  maxPushDelaySeconds: Infinity,
  maxReleaseDelaySeconds: Infinity,
  delayGranularitySeconds: 0.001,
  exactCounts: true,
  clear: true, // see clear()
  failedJobs: 'no',
  browse: false,
  extend: true,
  pause: false,
  transactionalPush: false,
  listQueues: true, // see queues()
  countsCrashes: true,
  freeDeferral: true,
  keepsOrder: true,
  keepsPlace: true,
  atomicFollowUps: true,
  atomicPushMany: true,
  pushDelivery: false,
};

export interface MyOptions {
  /** Of a file for one process. */
  readonly path: string;
  readonly leaseSeconds?: number;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** The function that goes into `connections` of the module. */
export function mine({ path, leaseSeconds = 90, now = Date.now }: MyOptions): BackendFactory {
  return () => new FileBackend(path, leaseSeconds, now);
}

interface Entry {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  /** Its place among equals, which it keeps. */
  readonly seq: number;
  header: JobHeader;
  state: 'ready' | 'delayed' | 'reserved';
  /** Milliseconds: since when it is ready, when it will be, or when its lease ends, by `state`. */
  dueAt: number;
}

interface Receipt {
  readonly id: string;
  readonly serial: number;
}

/** Keeps jobs in a file: each step changes them in memory, and answers once the file holds the change. */
class FileBackend implements ClearingBackend, ListingBackend {
  readonly driver = 'file';
  readonly capabilities = MY_CAPABILITIES;
  #jobs: Entry[] | null = null;
  #lastStep: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly path: string,
    readonly leaseSeconds: number,
    private readonly now: () => number,
  ) {}

  async connect(): Promise<void> {
    await this.#step(() => undefined);
  }

  async store(jobs: readonly NewJob[]): Promise<readonly StoreOutcome[]> {
    try {
      return await this.#step((all) => {
        for (const job of jobs) this.#add(all, job);
        return jobs.map(() => ({ status: 'applied' }) as const);
      });
    } catch (error) {
      return jobs.map(() => ({ status: 'refused', error: error as Error }) as const);
    }
  }

  reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]> {
    return this.#step((all) => {
      const items: ReservedItem[] = [];
      for (const queue of queues) {
        const ready = all
          .filter((job) => job.queue === queue && this.#isReady(job))
          .toSorted((a, b) => b.header.rank - a.header.rank || a.seq - b.seq);
        for (const job of ready.slice(0, limit - items.length)) items.push(this.#lease(job));
      }
      return items;
    });
  }

  async waitForWork(
    _queues: readonly string[],
    { timeoutMs, signal }: WaitOptions,
  ): Promise<readonly ReservedItem[]> {
    await pause(Math.min(timeoutMs, 50), undefined, { signal }).catch(() => undefined);
    return [];
  }

  async settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]> {
    try {
      return await this.#step((all) => settlements.map((settlement) => this.#settle(all, settlement)));
    } catch (error) {
      return settlements.map(() => ({ status: 'refused', error: error as Error }) as const);
    }
  }

  count(queue: string): Promise<QueueCounts> {
    return this.#step((all) => {
      const jobs = all.filter((job) => job.queue === queue);
      const ready = jobs.filter((job) => this.#isReady(job));
      const later = (state: Entry['state']) =>
        jobs.filter((job) => job.state === state && !this.#isReady(job)).length;
      const oldest = Math.min(...ready.map(({ dueAt }) => dueAt));
      return {
        ready: ready.length,
        delayed: later('delayed'),
        reserved: later('reserved'),
        failed: null,
        oldestReadySeconds: ready.length === 0 ? null : (this.now() - oldest) / 1_000,
        paused: false,
      };
    });
  }

  clear(queue: string): Promise<number> {
    return this.#step((all) => {
      const kept = all.filter((job) => job.queue !== queue || job.state === 'reserved');
      return all.splice(0, all.length, ...kept).length - kept.length;
    });
  }

  queues(): Promise<readonly string[]> {
    return this.#step((all) => [...new Set(all.map(({ queue }) => queue))].sort());
  }

  async close(): Promise<void> {
    await this.#lastStep;
  }

  #add(all: Entry[], { id, queue, header, body, delaySeconds }: NewJob): void {
    const seq = (all.at(-1)?.seq ?? 0) + 1;
    const entry: Entry = { id, queue, header, body, seq, state: 'ready', dueAt: 0 };
    this.#place(entry, delaySeconds);
    all.push(entry);
  }

  #place(job: Entry, delaySeconds: number): void {
    job.state = delaySeconds > 0 ? 'delayed' : 'ready';
    job.dueAt = this.now() + Math.ceil(delaySeconds * 1_000);
  }

  /** By time: a delay that has passed and a lease that has ended count as ready. */
  #isReady({ state, dueAt }: Entry): boolean {
    return state === 'ready' || dueAt <= this.now();
  }

  #lease(job: Entry): ReservedItem {
    const { id, queue, body, header } = job;
    const attempts = header.attempts + (job.state === 'reserved' ? 1 : 0); // its lease ended: a crash
    const serial = header.serial + 1;
    const leaseSeconds = header.leaseSeconds ?? this.leaseSeconds;
    job.header = { ...header, attempts, serial, rank: header.priority };
    job.state = 'reserved';
    job.dueAt = this.now() + leaseSeconds * 1_000;
    const receipt: Receipt = { id, serial };
    return { queue, receipt, header: job.header, body, leaseSeconds };
  }

  #settle(all: Entry[], settlement: Settlement): SettleOutcome {
    const { id, serial } = settlement.receipt as Receipt;
    const index = all.findIndex((job) => job.id === id);
    const job = all[index];
    if (job?.state !== 'reserved' || job.header.serial !== serial) return { status: 'stale' };
    switch (settlement.operation) {
      case 'ack':
        all.splice(index, 1);
        for (const next of settlement.followUps) this.#add(all, next);
        break;
      case 'fail':
        all.splice(index, 1);
        break;
      case 'extend':
        job.dueAt = this.now() + settlement.seconds * 1_000;
        break;
      default:
        job.header = { ...job.header, ...settlement.changes, serial: serial + 1 };
        this.#place(job, settlement.delaySeconds);
    }
    return { status: 'applied' };
  }

  /** One step after the other. A change that the file did not take never was, so that it is certainly not applied. */
  #step<T>(change: (all: Entry[]) => T): Promise<T> {
    const step = this.#lastStep.then(async () => {
      try {
        const all = (this.#jobs ??= await this.#read());
        const answer = change(all);
        await writeFile(`${this.path}.new`, JSON.stringify(all));
        await rename(`${this.path}.new`, this.path);
        return answer;
      } catch (cause) {
        this.#jobs = null;
        throw new ServerRefused(
          `Expected to write ${this.path}, which failed. Look at its folder and disk.`,
          { cause },
        );
      }
    });
    this.#lastStep = step.catch(() => undefined);
    return step;
  }

  async #read(): Promise<Entry[]> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8')) as Entry[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}
