import type { Case } from '../case.js';
import type { Rule } from './rule.js';

/** P2: what runs was pushed, and a refused push stored nothing: each id has an accepted or an unknown push of its own. */
export const unexpected: Rule = (found) =>
  unexpectedJobs(found).map(({ job, text }) => ({
    rule: 'unexpected',
    promise: 'P2',
    text,
    lines: [
      ...(found.pushes.get(job) ?? []),
      ...found.entries.filter((entry) => entry.kind === 'start' && entry.job === job),
    ],
  }));

export function unexpectedJobs({ entries, pushes }: Case): readonly { job: number; text: string }[] {
  const idsOf = new Map<number, Set<string>>();
  for (const entry of entries) {
    if (entry.kind === 'start') idsOf.set(entry.job, (idsOf.get(entry.job) ?? new Set()).add(entry.id));
  }
  const found: { job: number; text: string }[] = [];
  for (const [job, ids] of idsOf) {
    const own = pushes.get(job) ?? [];
    const accepted = new Set(own.filter(({ kind }) => kind === 'push-ok').map(({ id }) => id));
    const unknown = own.filter(({ kind }) => kind === 'push-unknown').length;
    const others = [...ids].filter((id) => !accepted.has(id)).length;
    if (own.length === 0) found.push({ job, text: `job ${job} ran and was never pushed` });
    else if (others > unknown) {
      const text = `job ${job} ran under ${others} ids that no push was told, and ${unknown} pushes are of unknown outcome`;
      found.push({ job, text });
    }
  }
  return found;
}
