import type { SqlDialect } from './dialects/sql-dialect.js';
import type { PooledDatabase } from './executor/pooled/open-pooled.js';
import type { SqlExecutor } from './executor/sql-executor.js';

/** A database that was reached, and the words that it understands. */
export interface SqlDatabase {
  readonly executor: SqlExecutor;
  readonly dialect: SqlDialect;
  /** Hears what other processes tell of; null where the database passes on nothing. */
  readonly listen: NonNullable<PooledDatabase['listen']> | null;
}

/** How a backend comes to its database. */
export interface DatabaseSource {
  /** True where the connection is the queue's own, so that its settings may be changed. */
  readonly owned: boolean;
  /** Reaches the database; called once, at first use. */
  open(): Promise<SqlDatabase>;
}
