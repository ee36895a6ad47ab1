import { writeFileSync } from 'node:fs';
import { TARGETS } from '../targets/index.js';
import type { TargetName } from '../target.js';
import { runTrial, type TrialResult } from '../trial.js';
import { CELLS } from './cells.js';
import type { Field } from './field.js';
import type { MatrixOptions } from './matrix-options.js';
import { printTrial } from './print.js';

/** Trials of one seed and field that may miss before the last counts. */
const MISSES = 2;
/** From the seed of a trial that missed to the next. */
const OTHER_SEED = 1_000_003;

/** One trial to hold: which field, which of its trials. */
interface Turn {
  readonly field: Field;
  readonly seed: number;
}

/** Runs every trial that was asked for, several at a time. `missing` says of a target why it cannot be run here. */
export async function runMatrix(
  options: MatrixOptions,
  missing: ReadonlyMap<TargetName, string>,
): Promise<readonly Field[]> {
  const fields = fieldsOf(options, missing);
  const turns = turnsOf(fields, options);
  console.log(
    `${turns.length} trials of 200 jobs, ${options.parallel} at a time, seeds from ${options.seed}`,
  );
  const stop = (): void => {
    console.log(
      'No more trials are begun; those that run come to their end. A second signal leaves their processes behind.',
    );
    turns.length = 0;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const until = performance.now() + options.minutes * 60_000;
  await Promise.all(Array.from({ length: options.parallel }, () => takeTurns(turns, until)));
  if (turns.length > 0) console.log(`${turns.length} trials did not fit in ${options.minutes} minutes`);
  if (options.json !== null) writeFileSync(options.json, JSON.stringify(summaryOf(fields, options), null, 2));
  return fields;
}

function fieldsOf(
  { cells, targets }: MatrixOptions,
  missing: ReadonlyMap<TargetName, string>,
): readonly Field[] {
  return CELLS.filter(({ name }) => cells.includes(name)).flatMap((cell) =>
    targets.map((name) => {
      const target = TARGETS[name];
      const reason = cell.reason(target) ?? missing.get(name) ?? null;
      return { cell, target, reason, results: [], errors: [] };
    }),
  );
}

/** Round by round, so that a run that is cut short has seen each field. */
function turnsOf(fields: readonly Field[], { trials, seed }: MatrixOptions): Turn[] {
  return Array.from({ length: trials }, (_, round) =>
    fields.filter(({ reason }) => reason === null).map((field) => ({ field, seed: seed + round })),
  ).flat();
}

async function takeTurns(turns: Turn[], until: number): Promise<void> {
  while (performance.now() < until) {
    const turn = turns.shift();
    if (turn === undefined) return;
    await hold(turn);
  }
}

async function hold({ field, seed }: Turn): Promise<void> {
  const { cell, target, results, errors } = field;
  try {
    for (let next = seed; ; next += OTHER_SEED) {
      const result = await runTrial({ cell, target, seed: next });
      printTrial(result);
      // A fault that hit nothing, on a busy machine, shows nothing either way: it is made again, at other moments.
      const isLast = next >= seed + MISSES * OTHER_SEED;
      if (!missed(result) || isLast) {
        results.push(result);
        return;
      }
    }
  } catch (error) {
    errors.push(String(error));
    console.log(
      `FAILED ${cell.name} on ${target.name}, seed ${seed}: the trial could not be held: ${String(error)}`,
    );
  }
}

function missed({ verdict: { violations } }: TrialResult): boolean {
  return violations.length > 0 && violations.every(({ rule }) => rule === 'fault-did-not-bite');
}

function summaryOf(fields: readonly Field[], { seed, trials }: MatrixOptions): object {
  return {
    seed,
    trials,
    fields: fields.map(({ cell, target, reason, results, errors }) => ({
      cell: cell.name,
      target: target.name,
      reason,
      errors,
      results: results.map(({ seed, durationMs, verdict }) => ({ seed, durationMs, ...verdict })),
    })),
  };
}
