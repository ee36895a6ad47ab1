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
  /** The first that is known of it. */
  readonly fromUs: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Puts the lines of deliveries together. Lines of one process stand in the order in which it wrote them. */
export function deliveriesOf(entries: readonly LedgerEntry[]): readonly Delivery[] {
  const deliveries: Mutable<Delivery>[] = [];
  const open = new Map<string, Mutable<Delivery>>();
  for (const entry of entries) {
    if (!isOfDelivery(entry)) continue;
    const key = `${entry.process} ${entry.id} ${entry.attempt}`;
    if (entry.kind === 'start') {
      const delivery = newDelivery(entry, entry);
      deliveries.push(delivery);
      open.set(key, delivery);
    } else {
      const delivery = open.get(key) ?? newDelivery(entry, null);
      if (!open.has(key)) deliveries.push(delivery);
      add(delivery, entry);
      if (isSettlement(entry)) open.delete(key);
    }
  }
  return deliveries;
}

function isOfDelivery(entry: LedgerEntry): entry is HandleEntry | SettleEntry {
  return entry.kind === 'start' || entry.kind === 'end' || entry.kind === 'threw' || isSettlement(entry);
}

export function isSettlement(entry: LedgerEntry): entry is SettleEntry {
  return entry.kind === 'settle-ok' || entry.kind === 'settle-stale' || entry.kind === 'settle-unknown';
}

function newDelivery(entry: HandleEntry | SettleEntry, start: HandleEntry | null): Mutable<Delivery> {
  const { id, attempt, process, atUs } = entry;
  return { id, attempt, process, start, end: null, threw: null, settled: null, fromUs: atUs };
}

function add(delivery: Mutable<Delivery>, entry: HandleEntry | SettleEntry): void {
  if (entry.kind === 'end') delivery.end = entry;
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
export function linesOf({ start, end, threw, settled }: Delivery): readonly LedgerEntry[] {
  return [start, end, threw, settled].filter((line) => line !== null);
}
