import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLAN_FILE } from './app/job-plan.js';
import type { FaultCell } from './cell.js';
import type { TrialFacts } from './judge/facts.js';
import { judge } from './judge/judge.js';
import type { Verdict } from './judge/verdict.js';
import { Random } from './random.js';
import type { TargetKind } from './target.js';
import { drain, holdsJobs, look, stopAll } from './trial/drain.js';
import { planJobs } from './trial/plan-jobs.js';
import { Trial } from './trial/trial.js';

export interface RunTrialOptions {
  readonly cell: FaultCell;
  readonly target: TargetKind;
  readonly seed: number;
  /** Default 200. */
  readonly jobs?: number;
  /** Default 2. */
  readonly leaseSeconds?: number;
  /** Longest wait for an empty queue at the end. Default 45,000. */
  readonly drainDeadlineMs?: number;
  /** Modules that workers and pusher load first, by path: one that puts a broken library in place of the built one. */
  readonly preload?: readonly string[];
}

export interface TrialResult {
  readonly cell: string;
  readonly target: string;
  readonly seed: number;
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** The ledgers, and what the processes printed; null of a clean trial. */
  readonly folder: string | null;
}

const WORKERS = 3;
const SLOW_MS = 250;
const MOST_DRAINS = 4;

/** Runs one trial from an empty backend to its verdict. Rejects only when the target could not be made ready. */
export async function runTrial(options: RunTrialOptions): Promise<TrialResult> {
  const {
    cell,
    target: kind,
    seed,
    jobs = 200,
    leaseSeconds = 2,
    drainDeadlineMs = 45_000,
    preload = [],
  } = options;
  const startedAt = performance.now();
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'kinetis-queue-test-trial-'));
  const target = await kind.open({ needs: cell.needs, leaseSeconds });
  const { workers = {}, pusherEnvironment = {} } = cell;
  const trial = new Trial({ target, random, jobs, folder, workers, pusherEnvironment, preload });
  const facts: TrialFacts = { jobs, leaseSeconds, rules: kind.rules, bites: cell.bites, leftovers: null };
  try {
    if (cell.inProcess === true) await told(trial, () => cell.inject(trial));
    else await withProcesses(trial, cell, facts, drainDeadlineMs);
    const verdict = judge(trial.ledger.entries(), { ...facts, leftovers: await look(trial) });
    return {
      cell: cell.name,
      target: kind.name,
      seed,
      verdict,
      durationMs: performance.now() - startedAt,
      folder: verdict.violations.length === 0 ? null : keep(trial),
    };
  } finally {
    for (const process of trial.processes) process.signal('SIGKILL');
    await target.close();
    if (!trial.isKept) rmSync(folder, { recursive: true, force: true });
  }
}

async function withProcesses(
  trial: Trial,
  cell: FaultCell,
  facts: TrialFacts,
  deadlineMs: number,
): Promise<void> {
  const plan = planJobs(cell, trial.random, trial.jobs);
  writeFileSync(join(trial.folder, PLAN_FILE), JSON.stringify(plan));
  trial.slowJobs = new Set(plan.jobs.filter(({ durationMs }) => durationMs >= SLOW_MS).map(({ job }) => job));
  for (let count = 0; count < WORKERS; count += 1) trial.startWorker();
  trial.startPusher();
  await told(trial, () => cell.inject(trial));
  await drain(trial, facts, deadlineMs);
  await stopAll(trial);
  // Where nothing expires, what a worker holds and could neither settle nor give back comes back when it ends.
  for (let round = 1; round < MOST_DRAINS && !facts.rules.leases && (await holdsJobs(trial)); round += 1) {
    trial.isStopping = false;
    await drain(trial, facts, deadlineMs);
    await stopAll(trial);
  }
}

/** What goes wrong with the fault itself is no verdict on the backend, and no clean trial either. */
async function told(trial: Trial, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    trial.writer.write({ kind: 'defect', text: `the fault could not be made: ${String(error)}` });
  }
}

function keep(trial: Trial): string {
  trial.isKept = true;
  for (const { name, output } of trial.processes) writeFileSync(join(trial.folder, `${name}.log`), output);
  return trial.folder;
}
