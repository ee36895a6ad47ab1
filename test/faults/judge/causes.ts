import type { Case } from './case.js';
import { type Delivery, isFinal, isReturned } from './deliveries.js';
import {
  endsProcess,
  type FaultSpan,
  freezes,
  LATE_US,
  overlaps,
  reachesWire,
  touches,
} from './fault-spans.js';
import type { Cause } from './verdict.js';

/** An ack that needs no answer may be under way for so long when its connection is lost. */
const UNANSWERED_US = 2_000_000;
/** A lease is renewed at a third of it, so that a freeze this long can end it. */
const LOSABLE_PART = 2 / 3;

/** Why `later` could be delivered although `earlier` was: the cause of P4 that the ledgers show, or null. */
export function causeBetween(found: Case, earlier: Delivery, later: Delivery): Cause | null {
  if (isReturned(earlier)) return 'returned';
  if (!isFinal(earlier)) return causeBeforeSettling(found, earlier, later);
  const cause = wasOvertaken(found, earlier, later)
    ? causeBeforeSettling(found, earlier, later)
    : causeAfterSettling(found, earlier, later);
  return cause ?? causeOfLateStart(found, earlier, later);
}

function causeBeforeSettling(found: Case, earlier: Delivery, later: Delivery): Cause | null {
  const early = Math.min(earlier.fromUs, later.fromUs) - LATE_US;
  const late = Math.max(earlier.fromUs, later.fromUs);
  const hits = found.faults.filter((span) => touches(span, earlier.process) && overlaps(span, early, late));
  const ofProcess = hits.filter(({ line: { of } }) => of === earlier.process);
  if (ofProcess.some(({ line }) => line.fault === 'forced-to-stop')) return 'given-back';
  if (!found.facts.rules.leases) return causeWithoutLease(found, earlier, hits, early, late);
  if (earlier.settled?.kind === 'settle-unknown') return 'settlement-unknown';
  if (diedReturning(found, earlier, later)) return 'returned';
  if (hits.some(({ line }) => line.fault === 'lease-ended' && line.id === earlier.id)) return 'lease-ended';
  // A lease that was left alone ends no sooner than it is long. One that was reserved earlier may be begun later.
  if (
    earlier.fromUs <= later.fromUs &&
    later.fromUs < earlier.fromUs + leaseUs(found) - LATE_US - lagAround(found, earlier)
  )
    return null;
  if (ofProcess.some(endsProcess)) return 'worker-died';
  if (wasFrozen(found, earlier.process, early - leaseUs(found), late)) return 'lease-ended';
  if (hits.some((span) => reachesWire(span) || endsLease(span, earlier))) return 'lease-ended';
  return null;
}

/** It threw, and its worker died before it could write that the job went back, be it when that worker had it once more. */
function diedReturning({ faults }: Case, { threw, settled, process }: Delivery, later: Delivery): boolean {
  if (threw === null || settled !== null) return false;
  return faults.some(
    (span) =>
      endsProcess(span) &&
      span.line.of === process &&
      span.toUs >= threw.atUs &&
      span.fromUs <= Math.max(threw.atUs, later.fromUs) + LATE_US,
  );
}

/** Without a fence a delivery that was lost before may still be told that it settled the job. */
function wasOvertaken({ facts }: Case, { settled }: Delivery, later: Delivery): boolean {
  return !facts.rules.fenced && later.fromUs < (settled?.atUs ?? 0);
}

/** Without a fence nothing tells which of two deliveries is the older: a frozen worker may begin what it lost long ago. */
function causeOfLateStart(found: Case, earlier: Delivery, later: Delivery): Cause | null {
  const { fenced, leases } = found.facts.rules;
  if (fenced) return null;
  const fromUs = earlier.fromUs - leaseUs(found);
  if (leases) return wasFrozen(found, later.process, fromUs, later.fromUs) ? 'lease-ended' : null;
  return wasSilent(found, later.process, fromUs, later.fromUs) ? 'connection-lost' : null;
}

/** P3 has two exceptions, and a retry of a failed job is no redelivery. */
function causeAfterSettling(found: Case, { id, process, settled }: Delivery, later: Delivery): Cause | null {
  const { faults, facts } = found;
  const settledUs = settled?.atUs ?? 0;
  const isRetried = faults.some(
    ({ line }) => line.fault === 'retried' && line.id === id && line.atUs < later.fromUs,
  );
  if (isRetried && settled?.operation === 'fail') return 'retried';
  const { answersAcks, redelivers } = facts.rules;
  if (redelivers) return 'service';
  if (answersAcks) return null;
  const lost = faults.some(
    (span) =>
      touches(span, process) &&
      (reachesWire(span) || endsProcess(span)) &&
      overlaps(span, settledUs - LATE_US, settledUs + UNANSWERED_US) &&
      span.fromUs < later.fromUs,
  );
  // A process that stood still for too long acknowledges before it learns that its connection is gone; and what it wrote
  // just before it stood still may not have left it.
  const lostUnseen =
    wasSilent(found, process, settledUs - UNANSWERED_US, settledUs) ||
    fellSilent(found, process, settledUs, later.fromUs);
  return lost || lostUnseen ? 'connection-lost' : null;
}

/** Whether a process stood still from just after `sinceUs`, for so long that the server took it for gone by `byUs`. */
function fellSilent(found: Case, process: string, sinceUs: number, byUs: number): boolean {
  return found.faults.some(
    (span) =>
      freezes(span) &&
      span.fromUs <= sinceUs + LATE_US &&
      overlaps(span, sinceUs, byUs) &&
      wasSilent(found, process, span.fromUs, byUs),
  );
}

/** Whether a process stood still for so long that the server took it for gone; it may have been late to speak before. */
function wasSilent(found: Case, process: string, fromUs: number, toUs: number): boolean {
  const { silenceSeconds } = found.facts.rules;
  if (silenceSeconds === null) return false;
  return longestFreezeUs(found, process, fromUs, toUs) >= silenceSeconds * 1_000_000 - LATE_US;
}

/** Nothing expires: the worker, its connection or the server has to be lost, or the worker silent for too long. */
function causeWithoutLease(
  found: Case,
  earlier: Delivery,
  hits: readonly FaultSpan[],
  early: number,
  late: number,
): Cause | null {
  if (hits.some((span) => span.line.of === earlier.process && endsProcess(span))) return 'worker-died';
  if (hits.some(reachesWire)) return 'connection-lost';
  if (wasSilent(found, earlier.process, early, late)) return 'connection-lost';
  return earlier.settled?.kind === 'settle-unknown' ? 'settlement-unknown' : null;
}

/** The trial let this very lease end, or made renewals of the process fail. */
function endsLease({ line }: FaultSpan, { id }: Delivery): boolean {
  if (line.fault === 'lease-ended') return line.id === undefined || line.id === id;
  return line.fault === 'injected' && line.detail?.startsWith('extend') === true;
}

/** Whether a process stood still for long enough to lose a lease, by the trial's doing or by its own account. */
export function wasFrozen(found: Case, process: string, fromUs: number, toUs: number): boolean {
  return longestFreezeUs(found, process, fromUs, toUs) >= LOSABLE_PART * leaseUs(found) - LATE_US;
}

function longestFreezeUs({ faults, entries }: Case, process: string, fromUs: number, toUs: number): number {
  const spans = faults.filter(
    (span) => freezes(span) && span.line.of === process && overlaps(span, fromUs, toUs),
  );
  const freezesUs = spans.map((span) => Math.min(span.toUs, toUs) - span.fromUs);
  for (const entry of entries) {
    if (entry.kind !== 'lag' || entry.process !== process) continue;
    const lag = { fromUs: entry.atUs - entry.ms * 1_000, toUs: entry.atUs };
    if (overlaps(lag, fromUs, toUs)) freezesUs.push(entry.ms * 1_000);
  }
  return Math.max(0, ...freezesUs);
}

/** By how much the line of a delivery may be later than its reservation, as far as its process says so. */
function lagAround({ entries, facts }: Case, { process, fromUs }: Delivery): number {
  const leaseUs = facts.leaseSeconds * 1_000_000;
  let sum = 0;
  for (const entry of entries) {
    if (entry.kind !== 'lag' || entry.process !== process) continue;
    if (entry.atUs > fromUs - leaseUs && entry.atUs - entry.ms * 1_000 < fromUs + LATE_US)
      sum += entry.ms * 1_000;
  }
  return sum;
}

function leaseUs({ facts }: Case): number {
  return facts.leaseSeconds * 1_000_000;
}
