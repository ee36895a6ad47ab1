import { deliveriesOf } from '../judge/deliveries.js';
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
  const own = entries.filter((entry) => entry.process === process);
  return deliveriesOf(own).filter(({ settled }) => settled === null).length;
}

function keyOf({ process, id, attempt }: Pick<HandleEntry, 'process' | 'id' | 'attempt'>): string {
  return `${process} ${id} ${attempt}`;
}
