import {
  ConnectionFailed,
  type NewJob,
  OutcomeUnknown,
  QueueServerException,
  type StoreOutcome,
} from '../../contract/index.js';
import { MAX_STORE_WEIGHT, storeWeightOf } from '../../contract/store-weight.js';
import { byQueue } from './by-queue.js';
import { argumentsOf, soonQueuesOf } from './job-arguments.js';
import type { RedisBackendParts, RedisSteps } from './redis-backend-parts.js';
import { translateError } from './server-errors.js';
import { TurnBatch } from './turn-batch.js';

export type StoreBatch = TurnBatch<NewJob, StoreOutcome>;

/**
 * Pushes that come together become one step for each queue. `pauseMs`: a job that is due before is told of, since a
 * worker that pauses would come later.
 */
export function storeBatch(parts: RedisSteps, pauseMs: number): StoreBatch {
  return new TurnBatch({
    maxWeight: MAX_STORE_WEIGHT,
    weightOf: storeWeightOf,
    run: (queue, jobs) => storeOnQueue(parts, queue, jobs, pauseMs),
  });
}

/** Stores jobs: those of one queue in one step, all or none. */
export async function storeJobs(
  parts: RedisBackendParts,
  jobs: readonly NewJob[],
): Promise<readonly StoreOutcome[]> {
  const groups = byQueue(jobs, ({ queue }) => queue);
  try {
    await parts.registry.add(groups.map(({ queue }) => queue));
  } catch (error) {
    return jobs.map(() => nothingStored(translateError(error, 'push()')));
  }
  const outcomes: StoreOutcome[] = [];
  await Promise.all(
    groups.map(async ({ queue, entries, places }) => {
      const answers = await parts.storing.add(queue, entries);
      for (const [index, place] of places.entries()) outcomes[place] = answers[index] as StoreOutcome;
    }),
  );
  return outcomes;
}

async function storeOnQueue(
  { scripts, hints }: RedisSteps,
  queue: string,
  jobs: readonly NewJob[],
  pauseMs: number,
): Promise<readonly StoreOutcome[]> {
  const isSoon = soonQueuesOf(jobs, pauseMs).has(queue);
  const isTold = isSoon && hints.claim(queue);
  try {
    const stored = (await scripts.run('store', queue, [
      isTold ? hints.channel : '',
      queue,
      ...jobs.flatMap(argumentsOf),
    ])) as number[];
    if (isSoon && !isTold) hints.tell(queue);
    return stored.map((answer) => ({ status: answer === 1 ? 'applied' : 'duplicate' }));
  } catch (error) {
    const translated = translateError(error, 'push()');
    return jobs.map(() => failedStore(translated));
  }
}

function failedStore(error: unknown): StoreOutcome {
  if (!(error instanceof QueueServerException)) throw error;
  return { status: error.code === 'QUEUE_OUTCOME_UNKNOWN' ? 'unknown' : 'refused', error };
}

/** The name of the queue could not be written, or nobody knows, so that no job was sent. */
function nothingStored(error: unknown): StoreOutcome {
  if (!(error instanceof QueueServerException)) throw error;
  return { status: 'refused', error: error instanceof OutcomeUnknown ? notSent(error) : error };
}

function notSent(cause: OutcomeUnknown): ConnectionFailed {
  return new ConnectionFailed(
    'push(): expected an answer of Redis to the name of the queue, came none. The job was not sent: try again.',
    { cause },
  );
}
