import type { Case } from '../case.js';
import { causeBetween } from '../causes.js';
import { type Delivery, isFinal, linesOf } from '../deliveries.js';
import type { Cause, Violation } from '../verdict.js';
import type { Rule } from './rule.js';

/** P3 and P4: each delivery after the first of a job has a cause, and each cause brings one. */
export const duplicates: Rule = (found) => secondDeliveries(found).violations;

export interface SecondDeliveries {
  readonly causes: readonly Cause[];
  readonly violations: readonly Violation[];
}

export function secondDeliveries(found: Case): SecondDeliveries {
  const causes: Cause[] = [];
  const violations: Violation[] = [];
  for (const deliveries of found.byId.values()) {
    // How often an earlier delivery has been taken for the cause of a later one.
    const used = new Map<Delivery, number>();
    for (const [index, later] of deliveries.entries()) {
      if (index === 0) continue;
      const cause = takeCause(found, deliveries.slice(0, index), later, used);
      if (cause === null) violations.push(unexplained(found, deliveries, later));
      else causes.push(cause);
    }
  }
  return { causes, violations };
}

function takeCause(
  found: Case,
  earlier: readonly Delivery[],
  later: Delivery,
  used: Map<Delivery, number>,
): Cause | null {
  for (const candidate of earlier.toReversed()) {
    const uses = used.get(candidate) ?? 0;
    if (uses >= usesOf(found, candidate)) continue;
    const cause = causeBetween(found, candidate, later);
    if (cause === null) continue;
    used.set(candidate, uses + 1);
    return cause;
  }
  return null;
}

/**
 * Without leases a job that goes back is published before its original is acknowledged: both may come when the connection,
 * or the worker, is lost between. Elsewhere a delivery gives way to one other.
 */
function usesOf({ facts }: Case, { threw, settled }: Delivery): number {
  const goesBack = settled === null ? threw !== null : settled.operation !== 'ack';
  return !facts.rules.leases && goesBack ? 2 : 1;
}

function unexplained(found: Case, deliveries: readonly Delivery[], later: Delivery): Violation {
  const done = deliveries.find(
    (delivery) => isFinal(delivery) && (delivery.settled?.atUs ?? 0) < later.fromUs,
  );
  const lines = deliveries.flatMap(linesOf);
  const job = String(found.jobOf.get(later.id));
  return done === undefined
    ? {
        rule: 'unexplained-duplicate',
        promise: 'P4',
        text: `job ${job} was delivered again, as attempt ${later.attempt} to ${later.process}, and no cause is known`,
        lines,
      }
    : {
        rule: 'delivered-after-settlement',
        promise: 'P3',
        text: `job ${job} was delivered to ${later.process} after ${done.process} had been told that it is settled`,
        lines,
      };
}
