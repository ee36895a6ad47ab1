import {
  type BrowsePage,
  type BrowseQuery,
  type JobState,
  pageOf,
  placeOfCursor,
  type StoredJob,
} from '../../contract/index.js';
import type { MemoryEntry } from './memory-entry.js';
import type { MemoryQueue } from './memory-queue.js';

/** By time: a due delayed job and an expired reservation are ready. */
function stateOf(entry: MemoryEntry, now: number): JobState {
  return entry.state === 'ready' || entry.dueAt <= now ? 'ready' : (entry.state as JobState);
}

/** One page of a queue's jobs in one state, by their place; the cursor is the last place seen. */
export function browseMemory(queue: MemoryQueue, query: BrowseQuery, now: number): BrowsePage {
  const after = placeOfCursor(query.cursor, 0);
  const found = queue
    .entries()
    .filter((entry) => entry.seq > after && stateOf(entry, now) === query.state)
    .toSorted((a, b) => a.seq - b.seq);
  return pageOf(
    found,
    query.limit,
    (entry) => storedJob(entry, now),
    ({ seq }) => seq,
  );
}

export function storedJob(entry: MemoryEntry, now: number): StoredJob {
  const state = stateOf(entry, now);
  const { id, queue, header, body, dueAt } = entry;
  return { id, queue, state, header, body, dueAt: state === 'ready' ? null : new Date(dueAt) };
}
