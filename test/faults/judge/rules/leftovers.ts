import type { Case } from '../case.js';
import type { Violation } from '../verdict.js';
import type { Rule } from './rule.js';

/** P1 and P7, by the backend's own counts after draining: nothing waits, and what was given up on is kept. */
export const leftovers: Rule = (found) => {
  const { leftovers: left } = found.facts;
  if (left === null)
    return [violation('trial', 'not-drained', 'the backend could not be asked what is left')];
  const { ready, delayed, reserved } = left;
  const waiting = ready + delayed + reserved;
  const text = `after draining there are ${ready} ready, ${delayed} delayed and ${reserved} reserved jobs`;
  return [
    ...(waiting === 0 ? [] : [violation('P1', 'left-behind', text)]),
    ...failedStore(found, left.failedIds),
  ];
};

function failedStore(found: Case, failedIds: readonly string[] | null): readonly Violation[] {
  if (failedIds === null) return [];
  const kept = new Set(failedIds);
  const settled = found.entries.filter(
    (entry) => (entry.kind === 'settle-ok' || entry.kind === 'settle-unknown') && entry.operation === 'fail',
  );
  const retried = new Set(
    found.faults.filter(({ line }) => line.fault === 'retried').map(({ line }) => line.id),
  );
  const dropped = settled.filter(
    (entry) => entry.kind === 'settle-ok' && 'id' in entry && !kept.has(entry.id) && !retried.has(entry.id),
  );
  const given = new Set(settled.map((entry) => ('id' in entry ? entry.id : '')));
  const unseen = failedIds.filter((id) => found.jobOf.has(id) && !given.has(id) && !diedFailing(found, id));
  return [
    ...dropped.map((entry) => ({
      ...violation('P7', 'dropped-unseen', 'a job was given up on and is not among the failed jobs'),
      lines: [entry],
    })),
    ...unseen.map((id) =>
      violation('P7', 'failed-unseen', `job ${String(found.jobOf.get(id))} failed and no worker said so`),
    ),
  ];
}

/** A worker that dies between the settlement and its line says nothing. */
function diedFailing({ byId, faults }: Case, id: string): boolean {
  return (byId.get(id) ?? []).some(
    ({ process, settled }) =>
      settled === null &&
      faults.some(({ line }) => line.of === process && (line.fault === 'killed' || line.fault === 'exited')),
  );
}

/** P7: bytes that are no job are told. */
export const malformed: Rule = ({ entries, faults }) => {
  const stored = faults.filter(({ line }) => line.fault === 'poisoned' && line.detail === 'malformed').length;
  const told = entries.filter(({ kind }) => kind === 'malformed').length;
  if (told >= stored) return [];
  return [violation('P7', 'malformed-unseen', `${stored} malformed items were stored and ${told} were told`)];
};

function violation(promise: Violation['promise'], rule: string, text: string): Violation {
  return { rule, promise, text, lines: [] };
}
