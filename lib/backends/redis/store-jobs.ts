import {
  ConnectionFailed,
  type NewJob,
  OutcomeUnknown,
  QueueServerException,
  type StoreOutcome,
} from '../../contract/index.js';
import { byQueue } from './by-queue.js';
import { argumentsOf, soonQueuesOf } from './job-arguments.js';
import type { RedisBackendParts } from './redis-backend-parts.js';
import { translateError } from './server-errors.js';

/** Stores jobs: those of one queue in one step, all or none. */
export async function storeJobs(
  parts: RedisBackendParts,
  jobs: readonly NewJob[],
  pauseMs: number,
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
      const answers = await storeOnQueue(parts, queue, entries, pauseMs);
      for (const [index, place] of places.entries()) outcomes[place] = answers[index] as StoreOutcome;
    }),
  );
  return outcomes;
}

async function storeOnQueue(
  { scripts, hints }: RedisBackendParts,
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
