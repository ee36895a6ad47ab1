import { QueueException } from '../../contract/index.js';
import type { SqlDialect } from './dialects/sql-dialect.js';
import { eventLoopTurn } from './event-loop-turn.js';
import type { ExecutorSource } from './executor-source.js';
import { AcquireFailed } from './executor/acquire-failed.js';
import type { OpenTransaction, SqlExecutor, SqlSession } from './executor/sql-executor.js';
import { retryWhileLocked } from './retry-while-locked.js';
import type { ShortestLease } from './shortest-lease.js';
import { longestWaitMs } from './sql.options.js';

export interface SqlGateOptions {
  readonly source: ExecutorSource;
  readonly dialect: SqlDialect;
  readonly lease: ShortestLease;
  readonly acquireTimeoutMs: number;
}

/** How long a step waits for locks of other connections at most, in milliseconds. */
const LONGEST_LOCK_WAIT_MS = 5_000;

type Work<T> = (session: SqlSession) => Promise<T>;

/** The way to the database: opened at first use, bounded in its waits, shut by `close()`. Errors pass unchanged. */
export class SqlGate {
  readonly lease: ShortestLease;
  private opening: Promise<SqlExecutor> | undefined;
  private closed = false;

  constructor(private readonly options: SqlGateOptions) {
    this.lease = options.lease;
  }

  async session<T>(work: Work<T>, acquireTimeoutMs = this.options.acquireTimeoutMs): Promise<T> {
    await eventLoopTurn();
    const executor = await this.executor();
    return this.pastLocks(() => executor.session({ acquireTimeoutMs }, work));
  }

  async transaction<T>(work: Work<T>, acquireTimeoutMs = this.options.acquireTimeoutMs): Promise<T> {
    await eventLoopTurn();
    const executor = await this.executor();
    return this.pastLocks(() => executor.transaction({ acquireTimeoutMs }, work));
  }

  async within(transaction: OpenTransaction): Promise<SqlSession | null> {
    const executor = await this.executor();
    return executor.within(transaction);
  }

  /** Ends what was opened for the queue alone. Work that is under way ends first. */
  async close(): Promise<void> {
    this.closed = true;
    const opening = this.opening;
    this.opening = undefined;
    const executor = await opening?.catch(() => undefined);
    await executor?.close();
  }

  /** A step that met a lock was not applied: it is tried again, never for longer than a lease can bear. */
  private pastLocks<T>(step: () => Promise<T>): Promise<T> {
    const longestMs = Math.min(LONGEST_LOCK_WAIT_MS, longestWaitMs(this.lease.seconds));
    return retryWhileLocked(step, (error) => this.options.dialect.classify(error) === 'locked', longestMs);
  }

  private executor(): Promise<SqlExecutor> {
    if (this.closed) {
      return Promise.reject(new AcquireFailed('lost', 'This connection of the queue was closed.'));
    }
    this.opening ??= this.open().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async open(): Promise<SqlExecutor> {
    try {
      const executor = await this.options.source.open();
      if (this.options.source.owned) await this.prepare(executor);
      return executor;
    } catch (error) {
      if (error instanceof QueueException || error instanceof AcquireFailed) throw error;
      throw new AcquireFailed('lost', 'The database cannot be opened.', { cause: error });
    }
  }

  private async prepare(executor: SqlExecutor): Promise<void> {
    const { dialect, acquireTimeoutMs } = this.options;
    try {
      await this.pastLocks(() =>
        executor.session({ acquireTimeoutMs }, (session) => dialect.prepareOwnConnection(session)),
      );
    } catch (error) {
      await executor.close();
      throw error;
    }
  }
}
