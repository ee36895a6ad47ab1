import type { HandleEntry, LedgerEntry, SettleEntry } from '../ledger/entries.js';

/** One delivery of a job, as the ledger of its worker shows it. */
export interface Delivery {
  readonly id: string;
  readonly attempt: number;
  readonly process: string;
  /** When its handler began; null where none was run (given up on before, or of an unknown class). */
  readonly start: HandleEntry | null;
  /** Its effect was made. */
  readonly end: HandleEntry | null;
  readonly threw: HandleEntry | null;
  readonly settled: SettleEntry | null;
  /** What was answered to whoever settled it once more. */
  readonly again: readonly SettleEntry[];
  /** The first that is known of it. */
  readonly fromUs: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Puts the lines of deliveries together. Lines of one process stand in the order in which it wrote them. A job that was
 * deferred may begin again, as the same attempt, before its worker was told that it is settled.
 */
export function deliveriesOf(entries: readonly LedgerEntry[]): readonly Delivery[] {
  const deliveries: Delivery[] = [];
  const known = new Map<string, Mutable<Delivery>[]>();
  for (const entry of entries) {
    if (!isOfDelivery(entry)) continue;
    const key = `${entry.process} ${entry.id} ${entry.attempt}`;
    const own = known.get(key) ?? [];
    known.set(key, own);
    const delivery = own.find((candidate) => belongsTo(entry, candidate));
    const last = own.at(-1);
    if (delivery !== undefined) add(delivery, entry);
    else if (last !== undefined && isSettlement(entry)) last.again = [...last.again, entry];
    else {
      const begun = newDelivery(entry);
      deliveries.push(begun);
      own.push(begun);
    }
  }
  return deliveries;
}

function belongsTo(entry: HandleEntry | SettleEntry, { end, threw, settled }: Delivery): boolean {
  if (entry.kind === 'start' || settled !== null) return false;
  if (!isSettlement(entry)) return end === null && threw === null;
  // A forced stop settles what still runs.
  if (end === null && threw === null) return entry.operation !== 'ack';
  return (entry.operation === 'ack') === (end !== null) || entry.kind !== 'settle-ok';
}

function isOfDelivery(entry: LedgerEntry): entry is HandleEntry | SettleEntry {
  return entry.kind === 'start' || entry.kind === 'end' || entry.kind === 'threw' || isSettlement(entry);
}

export function isSettlement(entry: LedgerEntry): entry is SettleEntry {
  return entry.kind === 'settle-ok' || entry.kind === 'settle-stale' || entry.kind === 'settle-unknown';
}

function newDelivery(entry: HandleEntry | SettleEntry): Mutable<Delivery> {
  const { id, attempt, process, atUs } = entry;
  const delivery: Mutable<Delivery> = {
    id,
    attempt,
    process,
    start: null,
    end: null,
    threw: null,
    settled: null,
    again: [],
    fromUs: atUs,
  };
  add(delivery, entry);
  return delivery;
}

function add(delivery: Mutable<Delivery>, entry: HandleEntry | SettleEntry): void {
  if (entry.kind === 'start') delivery.start = entry;
  else if (entry.kind === 'end') delivery.end = entry;
  else if (entry.kind === 'threw') delivery.threw = entry;
  else if (isSettlement(entry)) delivery.settled = entry;
}

/** The settlement was answered, and takes the job out of its queue for good. */
export function isFinal({ settled }: Delivery): boolean {
  return settled?.kind === 'settle-ok' && (settled.operation === 'ack' || settled.operation === 'fail');
}

/** The settlement was answered, and puts the job back. */
export function isReturned({ settled }: Delivery): boolean {
  return settled?.kind === 'settle-ok' && (settled.operation === 'release' || settled.operation === 'defer');
}

/** The lines that a delivery is made of. */
export function linesOf({ start, end, threw, settled, again }: Delivery): readonly LedgerEntry[] {
  return [start, end, threw, settled, ...again].filter((line) => line !== null);
}
