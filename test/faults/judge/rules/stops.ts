import type { Case } from '../case.js';
import { type Delivery, linesOf } from '../deliveries.js';
import { endsProcess } from '../fault-spans.js';
import type { Violation } from '../verdict.js';
import type { Rule } from './rule.js';

/** How much later than its lease a job may be begun: the others are busy with what came before it. */
const SLACK_US = 10_000_000;

/** P6: a worker that is told to stop settles what it runs; after a forced stop a job is back within a lease. */
export const stops: Rule = (found) =>
  found.entries.flatMap((entry) => {
    if (entry.kind !== 'exit') return [];
    const own = found.faults.filter(({ line }) => line.of === entry.of);
    if (own.some(endsProcess)) return [];
    const forced = own.some(({ line }) => line.fault === 'forced-to-stop');
    const unsettled = found.deliveries.filter(
      ({ process, settled }) => process === entry.of && settled === null,
    );
    if (!forced) return unsettled.map((delivery) => leftBehind(found, delivery));
    return unsettled
      .filter((delivery) => !comesBack(found, delivery, entry.atUs))
      .map((delivery) => leftBehind(found, delivery));
  });

function comesBack(found: Case, { id }: Delivery, exitUs: number): boolean {
  const latest = exitUs + found.facts.leaseSeconds * 1_000_000 + SLACK_US;
  return (found.byId.get(id) ?? []).some(({ fromUs }) => fromUs > exitUs && fromUs < latest);
}

function leftBehind(found: Case, delivery: Delivery): Violation {
  return {
    rule: 'left-by-a-stop',
    promise: 'P6',
    text: `${delivery.process} stopped and left job ${String(found.jobOf.get(delivery.id))} unsettled`,
    lines: linesOf(delivery),
  };
}
