import { QueueException } from '../../contract/index.js';
import type { SqlDialect } from './dialects/sql-dialect.js';
import { eventLoopTurn } from './event-loop-turn.js';
import { AcquireFailed } from './executor/acquire-failed.js';
import type { OpenTransaction, SqlSession } from './executor/sql-executor.js';
import { retryWhileLocked } from './retry-while-locked.js';
import type { ShortestLease } from './shortest-lease.js';
import type { DatabaseSource, SqlDatabase } from './sql-database.js';
import { longestWaitMs } from './sql.options.js';
import { StatementFailed } from './statement-failed.js';
import { withoutValues } from './without-values.js';

export interface SqlGateOptions {
  readonly source: DatabaseSource;
  readonly lease: ShortestLease;
  readonly acquireTimeoutMs: number;
  /** How long a step waits for locks of other connections at most, in milliseconds (5,000). */
  readonly longestLockWaitMs?: number;
}

const LONGEST_LOCK_WAIT_MS = 5_000;

export type Work<T> = (session: SqlSession, dialect: SqlDialect) => Promise<T>;

/**
 * The way to the database: opened at first use, bounded in its waits, shut by `close()`. Rejects with `AcquireFailed`
 * when the work never ran, with `StatementFailed` when the database refused a part of it.
 */
export class SqlGate {
  readonly lease: ShortestLease;
  private opening: Promise<SqlDatabase> | undefined;
  private current: SqlDatabase | null = null;
  private closed = false;

  constructor(private readonly options: SqlGateOptions) {
    this.lease = options.lease;
  }

  async session<T>(work: Work<T>, acquireTimeoutMs = this.options.acquireTimeoutMs): Promise<T> {
    await eventLoopTurn();
    const database = await this.database();
    return this.pastLocks(() => hold(database, acquireTimeoutMs, work));
  }

  /** Work within a transaction of the application; null when that is on another database. */
  async within<T>(transaction: OpenTransaction, work: Work<T>): Promise<T | null> {
    const { executor, dialect } = await this.database();
    try {
      const session = await executor.within(transaction);
      return session === null ? null : await work(session, dialect);
    } catch (error) {
      throw failureOf(dialect, error);
    }
  }

  /** The database, once it was opened. */
  get opened(): SqlDatabase | null {
    return this.current;
  }

  /** Opens the database unless it is open. */
  database(): Promise<SqlDatabase> {
    if (this.closed) {
      return Promise.reject(new AcquireFailed('lost', 'This connection of the queue was closed.'));
    }
    this.opening ??= this.open().then(
      (database) => (this.current = database),
      (error: unknown) => {
        this.opening = undefined;
        throw error;
      },
    );
    return this.opening;
  }

  /** Ends what was opened for the queue alone. Work that is under way ends first. */
  async close(): Promise<void> {
    this.closed = true;
    const opening = this.opening;
    this.opening = undefined;
    const database = await opening?.catch(() => undefined);
    await database?.executor.close();
  }

  /** A step that met a lock was not applied: it is tried again, never for longer than a lease can bear. */
  private pastLocks<T>(step: () => Promise<T>): Promise<T> {
    const { longestLockWaitMs = LONGEST_LOCK_WAIT_MS } = this.options;
    const longestMs = Math.min(longestLockWaitMs, longestWaitMs(this.lease.seconds));
    return retryWhileLocked(step, isLocked, longestMs);
  }

  private async open(): Promise<SqlDatabase> {
    const { source, acquireTimeoutMs } = this.options;
    let database: SqlDatabase;
    try {
      database = await source.open();
    } catch (error) {
      if (error instanceof QueueException || error instanceof AcquireFailed) throw error;
      throw new AcquireFailed('lost', 'The database cannot be opened.', { cause: error });
    }
    const prepare = database.dialect.preparation(source.owned);
    if (prepare === null) return database;
    try {
      await this.pastLocks(() => hold(database, acquireTimeoutMs, prepare));
      return database;
    } catch (error) {
      await database.executor.close();
      throw error;
    }
  }
}

async function hold<T>(
  { executor, dialect }: SqlDatabase,
  acquireTimeoutMs: number,
  work: Work<T>,
): Promise<T> {
  try {
    return await executor.session({ acquireTimeoutMs }, (session) => work(session, dialect));
  } catch (error) {
    throw failureOf(dialect, error);
  }
}

function failureOf(dialect: SqlDialect, error: unknown): unknown {
  if (error instanceof AcquireFailed || error instanceof QueueException) return error;
  return new StatementFailed(dialect.classify(error), withoutValues(error));
}

function isLocked(error: unknown): boolean {
  return error instanceof StatementFailed && error.kind === 'locked';
}
