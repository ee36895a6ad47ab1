import type { TrialResult } from '../trial.js';
import { explainedOf, type Field, isClean, sumOf } from './field.js';

const SHOWN_LINES = 12;
const SHOWN_VIOLATIONS = 5;

/** A line a trial, and below it what was broken, with the lines that show it and how to see it again. */
export function printTrial(result: TrialResult): void {
  const { cell, target, seed, verdict, durationMs, folder } = result;
  const { accepted, lost, duplicated, recovered } = verdict.counts;
  const seconds = (durationMs / 1_000).toFixed(1);
  console.log(
    `${isClean(result) ? 'ok    ' : 'FAILED'} ${cell} on ${target}, seed ${seed}: ${accepted} accepted, ${lost} lost, ` +
      `${duplicated} duplicated (${causesOf(result)}), ${recovered} recovered, ${seconds} s`,
  );
  for (const { promise, rule, text, lines } of verdict.violations.slice(0, SHOWN_VIOLATIONS)) {
    console.log(`       ${promise} ${rule}: ${text}`);
    for (const line of lines.slice(0, SHOWN_LINES)) console.log(`         ${JSON.stringify(line)}`);
  }
  const more = verdict.violations.length - SHOWN_VIOLATIONS;
  if (more > 0) console.log(`       and ${more} more`);
  if (folder !== null) {
    console.log(
      `       again: npm run test:faults -- --only=${cell},${target} --seed=${seed}; its ledgers: ${folder}`,
    );
  }
}

function causesOf({ verdict }: TrialResult): string {
  const causes = Object.entries(verdict.causes).map(([cause, count]) => `${cause} ${count}`);
  return causes.length === 0 ? 'no causes' : causes.join(', ');
}

/** What one field of the table shows. */
export function fieldText({ reason, results, errors }: Field): string {
  if (reason !== null) return '–';
  const clean = results.filter(isClean).length;
  const held = results.length + errors.length;
  const counts = [
    `${sumOf(results, 'accepted')} acc`,
    `${sumOf(results, 'lost')} lost`,
    `${sumOf(results, 'duplicated')} dup (${explainedOf(results)})`,
    `${sumOf(results, 'recovered')} rec`,
  ];
  return `${clean}/${held}: ${counts.join(' ')}`;
}

/** The table: rows cells, columns targets, and below it why a field is empty. */
export function printTable(fields: readonly Field[]): void {
  const targets = [...new Set(fields.map(({ target }) => target.name))];
  const rows = [...new Set(fields.map(({ cell }) => cell))].map((cell) => [
    cell.title,
    ...targets.map((name) => {
      const field = fields.find((candidate) => candidate.cell === cell && candidate.target.name === name);
      return field === undefined ? '' : fieldText(field);
    }),
  ]);
  console.log(
    '\nclean/held trials: jobs accepted, lost, duplicated (second deliveries with a cause), recovered\n',
  );
  for (const row of [['', ...targets], ...rows]) console.log(row.join(' | '));
  console.log('\n–: makes no sense there, or could not be run');
  const reasons = new Map<string, string[]>();
  for (const { cell, target, reason } of fields) {
    if (reason !== null)
      reasons.set(reason, [...(reasons.get(reason) ?? []), `${cell.name} on ${target.name}`]);
  }
  for (const [reason, where] of reasons) console.log(`  ${reason}: ${where.join(', ')}`);
}
