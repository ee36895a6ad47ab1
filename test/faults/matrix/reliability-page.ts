import { readFileSync } from 'node:fs';
import { explainedOf, type Field, isClean, sumOf } from './field.js';
import type { MatrixOptions } from './matrix-options.js';

const FINDINGS = 'test/faults/matrix/findings.md';

/** docs/reliability.md, as one run of the matrix makes it. */
export function reliabilityPage(fields: readonly Field[], options: MatrixOptions): string {
  const held = fields.filter(({ reason }) => reason === null);
  const results = held.flatMap((field) => field.results);
  const clean = results.filter(isClean).length;
  const errors = held.reduce((sum, field) => sum + field.errors.length, 0);
  return `# What was tried

Made by \`npm run test:faults -- --write-docs\`; not written by hand.

<!-- prettier-ignore-start -->

A trial pushes 200 jobs to an empty backend and runs them in three worker processes on a real server, while one fault is
done to it. Every process writes what it does and what it is told to a ledger of its own; when the queue is empty a
judge reads the ledgers and holds them against [the promises](promises.md). A trial in which the fault hit nothing does
not count as clean.

- Trials: ${results.length + errors}, of ${held.length} pairs of a fault and a backend; seeds from ${options.seed}, one further for each round.
- Clean: ${clean}. With something broken: ${results.length - clean}. Could not be held: ${errors}.
- Jobs accepted: ${sumOf(results, 'accepted')}. Lost: ${sumOf(results, 'lost')}. Run though never pushed: ${sumOf(results, 'unexpected')}.
- Second deliveries that have a cause (P4): ${explainedOf(results)}. Jobs that were interrupted and came to their end: ${sumOf(results, 'recovered')}.

## What follows from it

${boundText(results.length + errors, clean)}

It says nothing of faults that are not among the rows, of servers set up in another way, or of other machines.

## The matrix

Clean trials of those held, and of their jobs: accepted, lost, duplicated (second deliveries with a cause), recovered.

${tableOf(fields)}

${reasonsOf(fields)}

## What was broken in this run

${brokenOf(fields)}

## What was found

${readFileSync(FINDINGS, 'utf8').trim()}

<!-- prettier-ignore-end -->
`;
}

/** The rule of three: after n clean trials a fault that breaks one trial in x is seen with 95 % where x is below n / 3. */
function boundText(count: number, clean: number): string {
  if (count === 0) return 'Nothing: no trial was held.';
  if (clean < count) return 'No bound: not every trial was clean, see below.';
  const bound = Math.min(100, (3 / count) * 100);
  const text = bound < 0.1 ? bound.toFixed(2) : bound.toFixed(1);
  return (
    `${count} clean trials allow the claim that fewer than ${text} % of such trials break a promise, at 95 % confidence (the rule of ` +
    'three: 3/n). One row on one backend had fewer trials, and what they allow to be said of it alone is as much weaker.'
  );
}

function tableOf(fields: readonly Field[]): string {
  const targets = [...new Set(fields.map(({ target }) => target.name))];
  const rows = [...new Set(fields.map(({ cell }) => cell))].map((cell) => {
    const own = targets.map((name) =>
      fields.find((field) => field.cell === cell && field.target.name === name),
    );
    return `| ${[cell.title, ...own.map((field) => (field === undefined ? '' : shortText(field)))].join(' | ')} |`;
  });
  return [`| | ${targets.join(' | ')} |`, `| --- | ${targets.map(() => '---').join(' | ')} |`, ...rows].join(
    '\n',
  );
}

function shortText({ reason, results, errors }: Field): string {
  if (reason !== null) return '–';
  const held = results.length + errors.length;
  const counts = (['accepted', 'lost', 'duplicated', 'recovered'] as const).map((name) =>
    sumOf(results, name),
  );
  const [accepted, lost, duplicated, recovered] = counts;
  return `${results.filter(isClean).length}/${held}: ${accepted}, ${lost}, ${duplicated} (${explainedOf(results)}), ${recovered}`;
}

function reasonsOf(fields: readonly Field[]): string {
  const empty = fields.filter(({ reason }) => reason !== null);
  if (empty.length === 0) return '';
  const lines = empty.map(({ cell, target, reason }) => `- ${cell.title}, ${target.name}: ${reason}.`);
  return ['Where there are no trials:', '', ...lines].join('\n');
}

function brokenOf(fields: readonly Field[]): string {
  const lines = fields.flatMap(({ cell, target, results, errors }) => [
    ...results.flatMap(({ seed, verdict }) =>
      verdict.violations.map(
        ({ promise, rule, text }) =>
          `- ${cell.title}, ${target.name}, seed ${seed}: ${promise} ${rule}: ${text}.`,
      ),
    ),
    ...errors.map((error) => `- ${cell.title}, ${target.name}: the trial could not be held: ${error}`),
  ]);
  return lines.length === 0 ? 'Nothing in this run.' : lines.join('\n');
}
