import type { Case } from '../case.js';
import { type Delivery, linesOf } from '../deliveries.js';
import { endsProcess } from '../fault-spans.js';
import type { Rule } from './rule.js';

/** P1: an accepted job came to its end and was settled, or is in the failed store. */
export const lost: Rule = (found) =>
  lostIds(found).map((id) => ({
    rule: 'lost',
    promise: 'P1',
    text: `job ${String(found.jobOf.get(id))} was accepted and never done`,
    lines: [
      ...found.entries.filter((entry) => 'id' in entry && entry.kind === 'push-ok' && entry.id === id),
      ...(found.byId.get(id) ?? []).flatMap(linesOf),
    ],
  }));

/** Ids of accepted jobs that nobody did. */
export function lostIds(found: Case): readonly string[] {
  const failed = new Set(found.facts.leftovers?.failedIds ?? []);
  return found.entries
    .flatMap((entry) => (entry.kind === 'push-ok' && 'id' in entry ? [entry.id ?? ''] : []))
    .filter(
      (id) => !failed.has(id) && !(found.byId.get(id) ?? []).some((delivery) => isDone(found, delivery)),
    );
}

/** Its settlement took the job out, or may have: then the empty queue says that it did. */
function isDone(found: Case, delivery: Delivery): boolean {
  const { settled, end, process } = delivery;
  if (settled === null) return end !== null && endedSince(found, process, end.atUs);
  if (settled.kind === 'settle-stale') return false;
  const { failedIds } = found.facts.leftovers ?? { failedIds: null };
  if (settled.operation === 'fail') return settled.kind === 'settle-ok' || failedIds === null;
  return settled.operation === 'ack' && end !== null;
}

/** The process ended before it could write what became of the settlement. */
function endedSince({ faults }: Case, process: string, sinceUs: number): boolean {
  return faults.some((span) => endsProcess(span) && span.line.of === process && span.toUs >= sinceUs);
}
