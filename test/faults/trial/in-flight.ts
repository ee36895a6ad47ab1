import type { HandleEntry, LedgerEntry } from '../ledger/entries.js';

/** Deliveries whose handler has begun and not come to its end. */
export function deliveriesInFlight(entries: readonly LedgerEntry[]): readonly HandleEntry[] {
  const open = new Map<string, HandleEntry>();
  for (const entry of entries) {
    if (entry.kind === 'start') open.set(keyOf(entry), entry);
    else if (entry.kind === 'end' || entry.kind === 'threw') open.delete(keyOf(entry));
  }
  return [...open.values()];
}

/** Deliveries that have begun and whose settlement nobody has told of, of one process. */
export function unsettled(entries: readonly LedgerEntry[], process: string): number {
  const open = new Set<string>();
  for (const entry of entries) {
    if (entry.process !== process) continue;
    if (entry.kind === 'start') open.add(keyOf(entry));
    else if (entry.kind.startsWith('settle-') && 'attempt' in entry) open.delete(keyOf(entry as HandleEntry));
  }
  return open.size;
}

function keyOf({ process, id, attempt }: Pick<HandleEntry, 'process' | 'id' | 'attempt'>): string {
  return `${process} ${id} ${attempt}`;
}
