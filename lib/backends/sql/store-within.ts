import {
  describe,
  InvalidQueueArgumentException,
  type NewJob,
  QueueServerException,
  type StoreOutcome,
} from '../../contract/index.js';
import { isEntityManager } from './executor/mikro-orm.js';
import type { OpenTransaction } from './executor/sql-executor.js';
import { readyQueuesOf } from './job-row.js';
import { translateError } from './server-errors.js';
import type { SqlBackendParts } from './sql-backend-parts.js';

/**
 * Stores jobs in a transaction that the caller opened: they appear with its commit or not at all. `committed` is called
 * after the commit where the driver tells of it.
 */
export async function storeWithin(
  { gate, settings }: SqlBackendParts,
  jobs: readonly NewJob[],
  transaction: unknown,
  committed: () => void,
): Promise<readonly StoreOutcome[]> {
  const open = openTransactionOf(transaction);
  try {
    const told = settings.notify ? readyQueuesOf(jobs) : [];
    const stored = await gate.within(open, (session, dialect) =>
      session.atomically(() => dialect.insert(session, jobs, told)),
    );
    if (stored === null) refuse('a transaction on another database');
    afterCommit(open.context, committed);
    return stored.map((applied) => ({ status: applied ? 'applied' : 'duplicate' }));
  } catch (error) {
    const translated = translateError(error, 'push()');
    if (!(translated instanceof QueueServerException)) throw translated;
    return jobs.map(() => ({ status: 'refused', error: translated }));
  }
}

function refuse(came: string): never {
  throw new InvalidQueueArgumentException(
    `push(): transaction: expected an EntityManager of MikroORM with an open transaction on the queue's database, came ${came}.`,
  );
}

function openTransactionOf(transaction: unknown): OpenTransaction {
  if (!isEntityManager(transaction)) refuse(describe(transaction));
  const context = transaction.getTransactionContext();
  if (context === undefined || context === null) refuse('an EntityManager without an open transaction');
  if (isOver(context)) refuse('an EntityManager whose transaction has ended');
  return { connection: transaction.getConnection(), context };
}

/** knex has `isCompleted()`, kysely `isCommitted` and `isRolledBack`. */
function isOver(context: object): boolean {
  const isCompleted: unknown = Reflect.get(context, 'isCompleted');
  if (typeof isCompleted === 'function') return isCompleted.call(context) === true;
  return Reflect.get(context, 'isCommitted') === true || Reflect.get(context, 'isRolledBack') === true;
}

/** knex tells when a transaction has ended; kysely does not, and a worker then finds the job at its next sweep. */
function afterCommit(context: object, committed: () => void): void {
  const execution: unknown = Reflect.get(context, 'executionPromise');
  if (execution instanceof Promise) execution.then(committed, () => undefined);
}
