import type { LedgerLine } from './apps/ledger.js';

const OUTCOMES = new Set([
  'JobSucceeded',
  'JobReleased',
  'JobFailedPermanently',
  'JobSettlementLost',
  'JobSettlementUnknown',
]);
/** Outcomes after which a job may come again. */
const COMES_AGAIN = new Set(['JobReleased', 'JobSettlementLost', 'JobSettlementUnknown']);

/** What a ledger says of the deliveries in it; the lists hold what should not have been, an id and an attempt each. */
export interface Deliveries {
  /** Jobs whose handler began. */
  readonly ids: ReadonlySet<string>;
  /** Deliveries of jobs whose handler had begun before. */
  readonly again: number;
  /** Handlers that ended, and no outcome, or more than one, was told. */
  readonly unreported: readonly string[];
  /** Deliveries that began after their job's success was told. */
  readonly afterSuccess: readonly string[];
  /** Deliveries that began although nothing was told of the one before that lets the job come again. */
  readonly withoutCause: readonly string[];
}

/** Judges a ledger by what is promised of deliveries. Workers that were killed themselves have no place in it. */
export function deliveriesOf(lines: readonly LedgerLine[]): Deliveries {
  const last = new Map<string, string | null>();
  const outcomes = new Map<string, number>();
  const ended: string[] = [];
  const afterSuccess: string[] = [];
  const withoutCause: string[] = [];
  let again = 0;
  for (const { event, id = '', attempt } of lines) {
    const delivery = `${id} attempt ${attempt}`;
    if (event === 'start') {
      const before = last.get(id);
      if (before !== undefined) again += 1;
      if (before === 'JobSucceeded') afterSuccess.push(delivery);
      else if (before !== undefined && !COMES_AGAIN.has(before ?? '')) withoutCause.push(delivery);
      last.set(id, null);
    } else if (event === 'end') ended.push(delivery);
    else if (OUTCOMES.has(event)) {
      last.set(id, event);
      outcomes.set(delivery, (outcomes.get(delivery) ?? 0) + 1);
    }
  }
  const unreported = ended.filter((delivery) => outcomes.get(delivery) !== 1);
  return { ids: new Set(last.keys()), again, unreported, afterSuccess, withoutCause };
}
