import type { BrowsingBackend, NewJob, StoredJob } from '../../contract/index.js';
import { type Destination, mayBeStored, type Stored, stepsOf } from './destination.js';
import { movableOf, type StayReason } from './movable-job.js';
import type { MoveTally } from './move-tally.js';

/** Jobs that one step moves. */
const STEP = 100;

export interface MoveStep {
  readonly tally: MoveTally;
  readonly to: Destination;
  readonly stop: AbortSignal;
  /** Told after each step. */
  readonly onStep: () => void;
}

/**
 * Moves the delayed jobs of a queue, each with what is left of its delay: stored there, then removed here. Nobody can
 * reserve what is not due, so that no lease keeps it: of a job that a worker takes in between, the copy is taken back.
 */
export async function moveDelayed(
  from: BrowsingBackend,
  { tally, to, stop, onStep }: MoveStep,
): Promise<void> {
  const { queue } = tally;
  const stayed = new Set<string>();
  while (!stop.aborted) {
    // From the start: what was moved is gone from there, what stays is passed over.
    const { jobs } = await from.listJobs({ queue, state: 'delayed', limit: STEP + stayed.size });
    const page = jobs.filter(({ id }) => !stayed.has(id));
    if (page.length === 0) return;
    const movable = await movableOn(page, to, (stored, reason) => {
      stayed.add(stored.id);
      tally.stay(reason);
    });
    for (const part of stepsOf(movable)) {
      const answers = await storePart(part, { tally, to });
      for (const [index, { job }] of part.entries()) {
        const answer = answers[index] ?? 'refused';
        if (answer === 'stored' || answer === 'there') await remove(from, job, answer, { tally, to });
        else {
          stayed.add(job.id);
          tally.stay(answer);
        }
      }
    }
    onStep();
  }
}

interface MovableDelayed {
  readonly job: NewJob;
  /** A move that was ended stored it. */
  readonly isThere: boolean;
}

async function movableOn(
  page: readonly StoredJob[],
  to: Destination,
  stays: (stored: StoredJob, reason: StayReason) => void,
): Promise<readonly MovableDelayed[]> {
  const found: MovableDelayed[] = [];
  for (const stored of page) {
    const delaySeconds = Math.max(0, ((stored.dueAt?.getTime() ?? 0) - Date.now()) / 1_000);
    const movable = movableOf(stored, delaySeconds, to.backend.capabilities);
    if (movable.kind === 'stays') stays(stored, movable.reason);
    else found.push({ job: movable.job, isThere: await to.has(movable.job) });
  }
  return found;
}

async function storePart(
  part: readonly MovableDelayed[],
  { tally, to }: Pick<MoveStep, 'tally' | 'to'>,
): Promise<readonly Stored[]> {
  const fresh = part.filter(({ isThere }) => !isThere);
  try {
    const answers = await to.store(fresh.map(({ job }) => job));
    let next = 0;
    return part.map(({ isThere }) => (isThere ? 'there' : (answers[next++] ?? 'refused')));
  } catch (error) {
    if (mayBeStored(error)) tally.mayRunTwice += fresh.length;
    throw error;
  }
}

async function remove(
  from: BrowsingBackend,
  job: NewJob,
  answer: 'stored' | 'there',
  { tally, to }: Pick<MoveStep, 'tally' | 'to'>,
): Promise<void> {
  if (await from.removeJob(job.queue, job.id)) {
    if (answer === 'there') tally.alreadyThere += 1;
    else {
      tally.moved += 1;
      tally.delayed += 1;
    }
  } else if (!(await to.takeBack(job))) {
    tally.moved += 1;
    tally.mayRunTwice += 1;
  }
}
