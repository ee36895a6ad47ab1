import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AcquireFailed } from './acquire-failed.js';
import { assertBetterSqlite, betterSqliteSession, type BetterSqliteHandle } from './better-sqlite.session.js';
import { limitBusyTimeout } from './busy-timeout.js';
import { inTurn } from './file-turns.js';
import type { KnexLike, PoolLike } from './mikro-orm.js';
import type { SqlExecutor, SqlSession } from './sql-executor.js';
import { withSavepoints, withTransactions } from './transaction.js';

/** Pause between two looks at a connection that was left with an open transaction, in milliseconds. */
const OPEN_TRANSACTION_PAUSE_MS = 10;

export interface KnexSqliteOptions {
  /** MikroORM's connection, and the knex instance that it has at the moment. */
  readonly connection: unknown;
  readonly knex: () => KnexLike;
  readonly close: () => Promise<void>;
}

/** SQLite through MikroORM 6: knex lends its one connection, the statements go to better-sqlite3 itself. */
export function knexSqliteExecutor(options: KnexSqliteOptions): SqlExecutor {
  const hold = async <T>(timeoutMs: number, work: (session: SqlSession) => Promise<T>): Promise<T> => {
    const { pool, handle } = await acquireFree(options.knex, timeoutMs);
    try {
      return await inTurn(handle.name, async () => {
        const restore = limitBusyTimeout(handle);
        try {
          const transaction = { begin: 'begin immediate', isOpen: () => handle.inTransaction };
          return await work(withTransactions(betterSqliteSession(handle), transaction));
        } finally {
          restore();
        }
      });
    } finally {
      pool.release(handle);
    }
  };
  return {
    session: ({ acquireTimeoutMs }, work) => hold(acquireTimeoutMs, work),
    async within({ connection, context }) {
      const handle = await handleOf(context);
      assertBetterSqlite(handle);
      const own = options.knex();
      const sameDatabase = connection === options.connection || isSameFile(handle.name, own);
      return sameDatabase ? withSavepoints(betterSqliteSession(handle)) : null;
    },
    close: options.close,
  };
}

interface Acquired {
  readonly pool: PoolLike;
  readonly handle: BetterSqliteHandle;
}

/**
 * Waits for the connection, and until it is outside a transaction: an application can begin one that its pool knows
 * nothing of, and a job that was stored in it could vanish.
 */
async function acquireFree(knex: () => KnexLike, timeoutMs: number): Promise<Acquired> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const pool = knex().client.pool;
    if (pool === undefined) throw new AcquireFailed('lost', 'The connection of the database was closed.');
    const handle = await acquire(pool, Math.max(1, end - Date.now()));
    if (handle.open && !handle.inTransaction) return { pool, handle };
    pool.release(handle);
    if (!handle.open) throw new AcquireFailed('lost', 'The connection of the database was closed.');
    if (Date.now() + OPEN_TRANSACTION_PAUSE_MS >= end) {
      throw new AcquireFailed('held', 'The connection of the database was left with an open transaction.');
    }
    await pause(OPEN_TRANSACTION_PAUSE_MS);
  }
}

/** Waits for the pool's connection. A wait that was given up leaves the pool's line, so nothing runs after it. */
async function acquire(pool: PoolLike, timeoutMs: number): Promise<BetterSqliteHandle> {
  const pending = pool.acquire();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    pending.abort();
  }, timeoutMs);
  try {
    const handle = await pending.promise;
    assertBetterSqliteOf(pool, handle);
    return handle;
  } catch (error) {
    if (error instanceof AcquireFailed) throw error;
    throw failure(error, late, timeoutMs);
  } finally {
    clearTimeout(timer);
  }
}

function failure(error: unknown, late: boolean, timeoutMs: number): unknown {
  if (late || (error instanceof Error && error.name === 'TimeoutError')) {
    return new AcquireFailed('held', `No connection of the database was free for ${timeoutMs} ms.`);
  }
  if (error instanceof Error && 'code' in error && error.code === 'QUEUE_CONFIGURATION') return error;
  return new AcquireFailed('lost', 'The connection of the database cannot be opened.', { cause: error });
}

function assertBetterSqliteOf(pool: PoolLike, handle: unknown): asserts handle is BetterSqliteHandle {
  try {
    assertBetterSqlite(handle);
  } catch (error) {
    pool.release(handle);
    throw error;
  }
}

function isSameFile(file: string, { client }: KnexLike): boolean {
  const own = client.connectionSettings?.filename;
  return own !== undefined && own !== ':memory:' && resolve(own) === resolve(file);
}

/** knex gives a transaction the connection that it runs on. */
async function handleOf(context: object): Promise<unknown> {
  const client: unknown = Reflect.get(context, 'client');
  if (typeof client !== 'object' || client === null) return undefined;
  const acquireConnection: unknown = Reflect.get(client, 'acquireConnection');
  return typeof acquireConnection === 'function' ? await acquireConnection.call(client) : undefined;
}
