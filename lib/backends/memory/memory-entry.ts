import type { HeaderChanges, JobHeader } from '../../contract/index.js';

/** One job of a memory queue, wherever it is. `seq` is its place among equals and survives releases. */
export interface MemoryEntry {
  readonly id: string;
  readonly queue: string;
  readonly body: string;
  readonly seq: number;
  /** null: an item whose header cannot be read, as a foreign writer might leave one. */
  header: JobHeader | null;
  /** Counts deliveries and returns; a receipt is current while it names the entry's own value. */
  serial: number;
  state: 'ready' | 'delayed' | 'reserved' | 'gone';
  /** Milliseconds: when it became ready, becomes ready, or its lease ends, by `state`. */
  dueAt: number;
}

/** Identifies one delivery: the entry, and its serial at the reserve. */
export interface MemoryReceipt {
  readonly entry: MemoryEntry;
  readonly serial: number;
}

/** What the queue orders by; an unreadable header is in nobody's way and in nobody's front. */
export function rankOf(entry: MemoryEntry): number {
  const rank: unknown = entry.header?.rank;
  return typeof rank === 'number' ? rank : 0;
}

export function changeHeader(entry: MemoryEntry, changes: HeaderChanges): void {
  entry.serial += 1;
  if (entry.header !== null) entry.header = { ...entry.header, ...changes, serial: entry.serial };
}
