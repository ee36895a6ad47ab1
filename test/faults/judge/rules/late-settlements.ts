import type { Case } from '../case.js';
import { wasFrozen } from '../causes.js';
import { LATE_US } from '../fault-spans.js';
import { type Delivery, isFinal, linesOf } from '../deliveries.js';
import { overlaps, touches } from '../fault-spans.js';
import type { Violation } from '../verdict.js';
import type { Rule } from './rule.js';

/** P5, where there is a fence: only the current delivery settles, and only one that is not current is told stale. */
export const lateSettlements: Rule = (found) => {
  if (!found.facts.rules.fenced) return [];
  return [...found.byId.values()].flatMap((deliveries) => [
    ...settledTwice(found, deliveries),
    ...deliveries.flatMap((delivery) => [
      ...appliedLate(found, delivery, deliveries),
      ...staleWithoutReason(found, delivery, deliveries),
    ]),
  ]);
};

function violation(found: Case, rule: string, text: string, deliveries: readonly Delivery[]): Violation {
  const job = String(found.jobOf.get(deliveries[0]?.id ?? ''));
  return { rule, promise: 'P5', text: `job ${job}: ${text}`, lines: deliveries.flatMap(linesOf) };
}

function settledTwice(found: Case, deliveries: readonly Delivery[]): readonly Violation[] {
  const isRetried = found.faults.some(
    ({ line }) => line.fault === 'retried' && line.id === deliveries[0]?.id,
  );
  const text = 'more than one settlement of the job was answered as carried out';
  const twice = deliveries.filter((delivery) => isSettledAgain(found, delivery));
  if (twice.length > 0) return [violation(found, 'settled-twice', text, twice)];
  if (isRetried || deliveries.filter(isFinal).length < 2) return [];
  return [violation(found, 'settled-twice', text, deliveries)];
}

/** A forced stop may give back what a worker has just got once more, and has not begun. */
function isSettledAgain({ faults }: Case, { process, settled, again }: Delivery): boolean {
  if (settled?.kind !== 'settle-ok') return false;
  const isForced = faults.some(({ line }) => line.fault === 'forced-to-stop' && line.of === process);
  return again.some(({ kind, operation }) => kind === 'settle-ok' && !(isForced && operation === 'defer'));
}

/** A settlement that was sent when another delivery had begun already was late, and was applied. */
function appliedLate(found: Case, delivery: Delivery, all: readonly Delivery[]): readonly Violation[] {
  const { settled, end, threw } = delivery;
  if (settled?.kind !== 'settle-ok') return [];
  // What is given back while its handler runs says only when it was answered, and the job may have gone on by then.
  const sentUs = (end ?? threw)?.atUs ?? settled.atUs - LATE_US;
  // In the order of the backend: a frozen worker may begin what it lost long ago.
  const overtaken = all
    .slice(all.indexOf(delivery) + 1)
    .find(
      (other) =>
        other.start !== null &&
        delivery.fromUs < other.start.atUs &&
        (other.start.atUs < sentUs || (isFinal(delivery) && other.attempt > delivery.attempt)),
    );
  if (overtaken === undefined) return [];
  const text = `${delivery.process} settled attempt ${delivery.attempt} although ${overtaken.process} had the job by then`;
  return [violation(found, 'late-settlement-applied', text, [delivery, overtaken])];
}

function staleWithoutReason(found: Case, delivery: Delivery, all: readonly Delivery[]): readonly Violation[] {
  const { settled, process, fromUs, id } = delivery;
  if (settled?.kind !== 'settle-stale') return [];
  const later = all.some((other) => other !== delivery && other.fromUs > fromUs);
  const frozen = wasFrozen(found, process, fromUs - found.facts.leaseSeconds * 1_000_000, settled.atUs);
  const fault = found.faults.some(
    (span) =>
      (touches(span, process) && span.line.of !== process && overlaps(span, fromUs, settled.atUs)) ||
      (span.line.id === id && overlaps(span, fromUs, settled.atUs)),
  );
  if (later || frozen || fault) return [];
  const text = `${process} was told that attempt ${delivery.attempt} is not current, and nothing shows why`;
  return [violation(found, 'stale-without-reason', text, [delivery])];
}
