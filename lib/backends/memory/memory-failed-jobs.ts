import { randomBytes } from 'node:crypto';
import {
  type FailedJobsPage,
  type FailedJobsQuery,
  type FailedJobsRetention,
  type Failure,
  type StoredFailedJob,
  pageOf,
  placeOfCursor,
} from '../../contract/index.js';
import type { MemoryEntry } from './memory-entry.js';

interface FailedEntry {
  readonly id: string;
  readonly place: number;
  readonly entry: MemoryEntry;
  readonly failure: Failure;
  readonly failedAt: number;
}

/** The failed jobs of a memory backend, oldest first within. */
export class MemoryFailedJobs {
  readonly #retention: FailedJobsRetention;
  readonly #failed = new Map<string, FailedEntry>();
  readonly #counts = new Map<string, number>();
  #place = 0;

  constructor(retention: FailedJobsRetention) {
    this.#retention = retention;
  }

  count(queue: string): number {
    return this.#counts.get(queue) ?? 0;
  }

  /** Keeps a job, and lets go of what the retention no longer covers in its queue. */
  add(entry: MemoryEntry, failure: Failure, now: number): void {
    // Only an item that a foreign writer left can share its id with another.
    const id = this.#failed.has(entry.id) ? randomBytes(16).toString('hex') : entry.id;
    this.#place += 1;
    this.#failed.set(id, { id, place: this.#place, entry, failure, failedAt: now });
    this.#counts.set(entry.queue, this.count(entry.queue) + 1);
    this.#prune(entry.queue, now);
  }

  list({ queue, limit, cursor }: FailedJobsQuery): FailedJobsPage {
    const before = placeOfCursor(cursor, Infinity);
    const found = [...this.#failed.values()]
      .filter((failed) => failed.place < before && (queue === undefined || failed.entry.queue === queue))
      .toReversed();
    return pageOf(found, limit, stored, ({ place }) => place);
  }

  find(id: string): StoredFailedJob | null {
    const failed = this.#failed.get(id);
    return failed === undefined ? null : stored(failed);
  }

  /** The entry behind a failed job. */
  entry(id: string): MemoryEntry | undefined {
    return this.#failed.get(id)?.entry;
  }

  ids(queue: string | undefined): readonly string[] {
    const all = [...this.#failed.values()];
    return all.filter(({ entry }) => queue === undefined || entry.queue === queue).map(({ id }) => id);
  }

  remove(id: string): boolean {
    const failed = this.#failed.get(id);
    if (failed === undefined) return false;
    this.#failed.delete(id);
    this.#counts.set(failed.entry.queue, this.count(failed.entry.queue) - 1);
    return true;
  }

  #prune(queue: string, now: number): void {
    const oldest = now - this.#retention.maxAgeSeconds * 1_000;
    for (const { id, entry, failedAt } of this.#failed.values()) {
      const tooMany = this.count(queue) > this.#retention.maxCount;
      if (failedAt >= oldest && !tooMany) return;
      if (entry.queue === queue) this.remove(id);
    }
  }
}

function stored({ id, entry, failure, failedAt }: FailedEntry): StoredFailedJob {
  return {
    id,
    queue: entry.queue,
    header: entry.header,
    body: entry.body,
    failure,
    failedAt: new Date(failedAt),
  };
}
