import {
  type NewJob,
  QueueServerException,
  type StoreOutcome,
  TransactionRequiredException,
} from '../../contract/index.js';
import { MAX_STORE_WEIGHT, storeWeightOf } from '../../contract/store-weight.js';
import { AcquireFailed, waitedInVain } from './executor/acquire-failed.js';
import type { Hints } from './hints.js';
import { InFlightBatch } from './in-flight-batch.js';
import { readyQueuesOf } from './job-row.js';
import { translateError } from './server-errors.js';
import type { SqlBackendParts } from './sql-backend-parts.js';
import { isDefect } from './statement-failed.js';

type Jobs = readonly NewJob[];
type Outcomes = readonly StoreOutcome[];

function weightOf(jobs: Jobs): number {
  return jobs.reduce((weight, job) => weight + storeWeightOf(job), 0);
}

export interface StoreBatches {
  store(jobs: Jobs): Promise<Outcomes>;
}

/** Stores that come while another is in flight become one transaction; each is all or nothing. */
export function storeBatches({ gate, settings }: SqlBackendParts, hints: Hints): StoreBatches {
  const batch = new InFlightBatch<Jobs, Outcomes>({
    maxSize: MAX_STORE_WEIGHT,
    acquireTimeoutMs: settings.acquireTimeoutMs,
    keysOf: () => [],
    sizeOf: weightOf,
    mayBeTaken: () => false,
    neverRan: waitedInVain,
    mayBeOnesFault: isDefect,
    async run(requests, acquireTimeoutMs) {
      const jobs = requests.flat();
      const queues = readyQueuesOf(jobs);
      const told = hints.claim(queues);
      const stored = await gate.session(
        (session, dialect) => dialect.insert(session, jobs, told),
        acquireTimeoutMs,
      );
      for (const queue of queues) if (!told.has(queue)) hints.tell(queue);
      let next = 0;
      return requests.map((request) => {
        const own = stored.slice(next, (next += request.length));
        return own.map((applied) => ({ status: applied ? 'applied' : 'duplicate' }));
      });
    },
  });
  return {
    async store(jobs) {
      if (jobs.length === 0) return [];
      try {
        const [outcomes = []] = await Promise.all(batch.add([jobs]));
        return outcomes;
      } catch (error) {
        return jobs.map(() => failedStore(translateError(error, 'push()'), error, settings.acquireTimeoutMs));
      }
    },
  };
}

function failedStore(translated: unknown, error: unknown, acquireTimeoutMs: number): StoreOutcome {
  if (error instanceof AcquireFailed && error.reason === 'held') {
    return { status: 'refused', error: transactionRequired(acquireTimeoutMs, error) };
  }
  if (!(translated instanceof QueueServerException)) throw translated;
  const status = translated.code === 'QUEUE_OUTCOME_UNKNOWN' ? 'unknown' : 'refused';
  return { status, error: translated };
}

function transactionRequired(acquireTimeoutMs: number, cause: Error): TransactionRequiredException {
  return new TransactionRequiredException(
    `push(): expected the database connection, which the application and the queue share, came none for ` +
      `${Math.ceil(acquireTimeoutMs)} ms: a transaction of this application holds it. Nothing was stored. ` +
      'Pass the transaction, ' +
      'push(job, { transaction: entityManager }), or push when it has ended.',
    { cause },
  );
}
