import { parseArgs } from 'node:util';
import { TARGET_NAMES, type TargetName } from '../target.js';
import { CELLS } from './cells.js';

/** What a run of the matrix is asked for. */
export interface MatrixOptions {
  readonly cells: readonly string[];
  readonly targets: readonly TargetName[];
  /** The first trial of a cell has this seed, each further one the next. */
  readonly seed: number;
  readonly trials: number;
  /** Trials at the same time: they mostly wait. */
  readonly parallel: number;
  /** No trial begins later than this after the first; Infinity for no limit. */
  readonly minutes: number;
  readonly json: string | null;
  readonly writesDocs: boolean;
}

const OPTIONS = {
  release: { type: 'boolean' },
  seed: { type: 'string' },
  trials: { type: 'string' },
  parallel: { type: 'string' },
  minutes: { type: 'string' },
  only: { type: 'string', multiple: true },
  json: { type: 'string' },
  'write-docs': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const RELEASE_TRIALS = 8;

export const USAGE = `npm run test:faults [-- options]

Runs fault trials: each pushes 200 jobs, runs them in three worker processes, does its fault to them, drains, and lets a
judge read the ledgers. Needs the servers that npm test needs.

  --release          ${RELEASE_TRIALS} trials of each cell instead of one
  --trials=<number>  so many trials of each cell
  --seed=<number>    the seed of the first trial; without it one of the day's own, which is printed
  --only=<names>     only these cells and targets, separated by commas; may be repeated
  --parallel=<n>     trials at the same time (3)
  --minutes=<n>      begins no trial later than that: each round has one of every cell, as far as the time goes
  --json=<file>      writes every verdict to a file
  --write-docs       writes docs/reliability.md
  --help             shows this

Cells: ${CELLS.map(({ name }) => name).join(', ')}
Targets: ${TARGET_NAMES.join(', ')}`;

/** Null when only the usage is wanted. Throws with what was expected and what came. */
export function matrixOptions(argv: readonly string[]): MatrixOptions | null {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS });
  if (values.help === true) return null;
  const only = (values.only ?? []).flatMap((names) => names.split(',')).filter((name) => name !== '');
  const cellNames = CELLS.map(({ name }) => name);
  for (const name of only) {
    if (cellNames.includes(name) || isTarget(name)) continue;
    throw new Error(`--only: expected names of cells or targets, came "${name}"; --help lists them.`);
  }
  const cells = cellNames.filter((name) => only.includes(name));
  const targets = TARGET_NAMES.filter((name) => only.includes(name));
  return {
    cells: cells.length === 0 ? cellNames : cells,
    targets: targets.length === 0 ? TARGET_NAMES : targets,
    seed: values.seed === undefined ? Math.trunc(Date.now() / 1_000) : count('--seed', values.seed),
    trials:
      values.trials === undefined
        ? values.release === true
          ? RELEASE_TRIALS
          : 1
        : count('--trials', values.trials),
    parallel: values.parallel === undefined ? 3 : count('--parallel', values.parallel),
    minutes: values.minutes === undefined ? Infinity : count('--minutes', values.minutes),
    json: values.json ?? null,
    writesDocs: values['write-docs'] === true,
  };
}

function isTarget(name: string): name is TargetName {
  return (TARGET_NAMES as readonly string[]).includes(name);
}

function count(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`${option}: expected an integer of 1 or more, came "${text}".`);
  return value;
}
