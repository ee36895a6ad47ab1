import { QueueException } from '../../contract/index.js';
import type { SqlDialect } from './dialects/sql-dialect.js';
import type { ExecutorSource } from './executor-source.js';
import { AcquireFailed } from './executor/acquire-failed.js';
import type { OpenTransaction, SqlExecutor, SqlSession } from './executor/sql-executor.js';
import type { ShortestLease } from './shortest-lease.js';
import { longestWaitMs } from './sql.options.js';

export interface SqlGateOptions {
  readonly source: ExecutorSource;
  readonly dialect: SqlDialect;
  readonly lease: ShortestLease;
  readonly acquireTimeoutMs: number;
}

type Work<T> = (session: SqlSession) => Promise<T>;

/** Default busy timeout of the queue's own connections in milliseconds. */
const OWN_BUSY_TIMEOUT_MS = 5_000;

/** The way to the database: opened at first use, bounded in its waits, shut by `close()`. Errors pass unchanged. */
export class SqlGate {
  readonly lease: ShortestLease;
  private opening: Promise<SqlExecutor> | undefined;
  private closed = false;

  constructor(private readonly options: SqlGateOptions) {
    this.lease = options.lease;
  }

  async session<T>(work: Work<T>, acquireTimeoutMs = this.options.acquireTimeoutMs): Promise<T> {
    const executor = await this.executor();
    return executor.session({ acquireTimeoutMs }, work);
  }

  async transaction<T>(work: Work<T>, acquireTimeoutMs = this.options.acquireTimeoutMs): Promise<T> {
    const executor = await this.executor();
    return executor.transaction({ acquireTimeoutMs }, work);
  }

  async within(transaction: OpenTransaction): Promise<SqlSession> {
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
    const { source, dialect, lease, acquireTimeoutMs } = this.options;
    try {
      const executor = await source.open();
      if (source.owned) {
        const busyTimeoutMs = Math.min(OWN_BUSY_TIMEOUT_MS, longestWaitMs(lease.seconds));
        await executor.session({ acquireTimeoutMs }, (session) =>
          dialect.prepareOwnConnection(session, busyTimeoutMs),
        );
      }
      return executor;
    } catch (error) {
      if (error instanceof QueueException || error instanceof AcquireFailed) throw error;
      throw new AcquireFailed('lost', 'The database cannot be opened.', { cause: error });
    }
  }
}
