import type { LedgerEntry, PushEntry } from '../ledger/entries.js';
import { type Delivery, deliveriesOf, isReturned } from './deliveries.js';
import type { TrialFacts } from './facts.js';
import { type FaultSpan, faultSpans, LATE_US } from './fault-spans.js';

/** What all rules look at: the lines of a trial, put together once. */
export interface Case {
  readonly facts: TrialFacts;
  readonly entries: readonly LedgerEntry[];
  readonly faults: readonly FaultSpan[];
  readonly deliveries: readonly Delivery[];
  /** Deliveries by the job's id, each list in the order in which the backend made them. */
  readonly byId: ReadonlyMap<string, readonly Delivery[]>;
  /** Our own number of a job by its id, as an answered push or a handler told it. */
  readonly jobOf: ReadonlyMap<string, number>;
  readonly pushes: ReadonlyMap<number, readonly PushEntry[]>;
}

export function prepareCase(entries: readonly LedgerEntry[], facts: TrialFacts): Case {
  const deliveries = deliveriesOf(entries);
  const pushes = grouped(entries.filter(isPush), ({ job }) => job);
  const jobOf = new Map<string, number>();
  for (const entry of entries) {
    if ((entry.kind === 'push-ok' || entry.kind === 'start') && entry.id !== undefined)
      jobOf.set(entry.id, entry.job);
  }
  const byId = grouped(deliveries, ({ id }) => id);
  for (const list of byId.values()) list.sort(inOrderOf(facts));
  return { facts, entries, faults: faultSpans(entries), deliveries, byId, jobOf, pushes };
}

function isPush(entry: LedgerEntry): entry is PushEntry {
  return entry.kind.startsWith('push-');
}

/** Where the backend counts each delivery its number orders them; a frozen worker may begin an earlier one later. */
function inOrderOf({ rules }: TrialFacts): (a: Delivery, b: Delivery) => number {
  return (a, b) =>
    (rules.countsCrashes && rules.leases ? a.attempt - b.attempt : 0) ||
    Number(wasGivenBackBefore(b, a)) - Number(wasGivenBackBefore(a, b)) ||
    a.fromUs - b.fromUs;
}

/** All that is known of a delivery that never began is when its worker heard that it went back: another may run by then. */
function wasGivenBackBefore(given: Delivery, other: Delivery): boolean {
  if (given.start !== null || other.start === null || !isReturned(given)) return false;
  const heardUs = given.fromUs;
  return other.fromUs > heardUs - LATE_US && (other.settled?.atUs ?? Infinity) > heardUs;
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
