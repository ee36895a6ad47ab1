import { setTimeout as sleep } from 'node:timers/promises';
import { prepareCase } from '../judge/case.js';
import type { TrialFacts } from '../judge/facts.js';
import { lostIds } from '../judge/rules/lost.js';
import type { Leftovers } from '../target.js';
import { unsettled } from './in-flight.js';
import type { Trial } from './trial.js';

const WORKERS = 3;
const LOOK_EVERY_MS = 100;
/** How often in a row the queue must look empty. */
const LOOKS = 2;
const STOP_DEADLINE_MS = 20_000;

/** Lets workers run until nothing is left, or until the deadline: the judge then says what is. */
export async function drain(trial: Trial, facts: TrialFacts, deadlineMs: number): Promise<void> {
  while (trial.workers.length < WORKERS) trial.startWorker();
  const end = performance.now() + deadlineMs;
  let empty = 0;
  while (performance.now() < end && empty < LOOKS) {
    await sleep(LOOK_EVERY_MS);
    const isEmpty = trial.pusher?.hasEnded !== false && isDone(trial, facts) && hasNone(await look(trial));
    empty = isEmpty ? empty + 1 : 0;
  }
}

function isDone(trial: Trial, facts: TrialFacts): boolean {
  const entries = trial.ledger.entries();
  if (trial.workers.some(({ name }) => unsettled(entries, name) > 0)) return false;
  return lostIds(prepareCase(entries, facts)).length === 0;
}

/** Null when the backend did not answer. */
export async function look(trial: Trial): Promise<Leftovers | null> {
  try {
    return await trial.target.leftovers();
  } catch {
    return null;
  }
}

export async function holdsJobs(trial: Trial): Promise<boolean> {
  return !hasNone(await look(trial));
}

function hasNone(left: Leftovers | null): boolean {
  return left !== null && left.ready + left.delayed + left.reserved === 0;
}

/** Ends every process in order; one that does not end is killed, which the judge hears of. */
export async function stopAll(trial: Trial): Promise<void> {
  trial.isStopping = true;
  for (const worker of trial.workers) trial.tellToStop(worker);
  await Promise.all(
    trial.processes.map(async (process) => {
      const timer = setTimeout(() => {
        trial.writer.write({ kind: 'defect', text: `${process.name} did not end when it was told to stop` });
        process.signal('SIGKILL');
      }, STOP_DEADLINE_MS);
      await process.exited();
      clearTimeout(timer);
    }),
  );
}
