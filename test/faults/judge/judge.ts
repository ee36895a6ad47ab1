import type { LedgerEntry } from '../ledger/entries.js';
import { type Case, prepareCase } from './case.js';
import type { TrialFacts } from './facts.js';
import { duplicates, secondDeliveries } from './rules/duplicates.js';
import { faultsBite } from './rules/faults-bite.js';
import { lateSettlements } from './rules/late-settlements.js';
import { leftovers, malformed } from './rules/leftovers.js';
import { lost, lostIds } from './rules/lost.js';
import { processes } from './rules/processes.js';
import { pushed } from './rules/pushed.js';
import type { Rule } from './rules/rule.js';
import { stops } from './rules/stops.js';
import { unexpected, unexpectedJobs } from './rules/unexpected.js';
import { unknownOutcomes } from './rules/unknown-outcomes.js';
import type { Cause, Counts, Verdict } from './verdict.js';

const RULES: readonly Rule[] = [
  pushed,
  faultsBite,
  processes,
  lost,
  leftovers,
  malformed,
  unexpected,
  duplicates,
  unknownOutcomes,
  lateSettlements,
  stops,
];

/** Says of one trial what its ledgers show. It trusts them, the backend's counts after draining, and nothing else. */
export function judge(entries: readonly LedgerEntry[], facts: TrialFacts): Verdict {
  const found = prepareCase(
    [...entries].sort((a, b) => a.atUs - b.atUs),
    facts,
  );
  const causes: Partial<Record<Cause, number>> = {};
  for (const cause of [...secondDeliveries(found).causes, ...repeatedPushes(found)]) {
    causes[cause] = (causes[cause] ?? 0) + 1;
  }
  return { counts: countsOf(found), causes, violations: RULES.flatMap((rule) => rule(found)) };
}

/** Each further id of a job is a push that was repeated because its outcome was unknown; `unexpected` holds that. */
function repeatedPushes(found: Case): readonly Cause[] {
  return [...startsByJob(found).values()].flatMap((starts) => {
    const ids = new Set(starts.map(({ id }) => id));
    return Array.from({ length: ids.size - 1 }, () => 'push-unknown' as const);
  });
}

function startsByJob({ deliveries, jobOf }: Case): ReadonlyMap<number, readonly { readonly id: string }[]> {
  const starts = new Map<number, { id: string }[]>();
  for (const { id, start } of deliveries) {
    const job = jobOf.get(id);
    if (start === null || job === undefined) continue;
    starts.set(job, [...(starts.get(job) ?? []), { id }]);
  }
  return starts;
}

function countsOf(found: Case): Counts {
  const lostOnes = new Set(lostIds(found));
  const kinds = (kind: LedgerEntry['kind']): number =>
    new Set(found.entries.flatMap((entry) => (entry.kind === kind && 'job' in entry ? [entry.job] : [])))
      .size;
  const interrupted = [...found.byId].filter(
    ([id, deliveries]) =>
      !lostOnes.has(id) && deliveries.some(({ settled }) => settled?.kind !== 'settle-ok'),
  );
  return {
    attempted: kinds('push-try'),
    accepted: kinds('push-ok'),
    handled: kinds('end'),
    lost: lostOnes.size,
    unexpected: unexpectedJobs(found).length,
    duplicated: [...startsByJob(found).values()].filter((starts) => starts.length > 1).length,
    recovered: interrupted.length,
  };
}
