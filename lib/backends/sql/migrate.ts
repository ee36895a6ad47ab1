import { QueueConfigurationException } from '../../contract/index.js';
import { sqliteDialect } from './dialects/sqlite.dialect.js';
import { isMikroOrm, type MikroOrmLike } from './executor/mikro-orm.js';
import type { SqlExecutor, SqlSession } from './executor/sql-executor.js';
import { sqliteExecutor } from './executor/sqlite-executor.js';
import { kinetisQueueSql } from './migrations.js';
import { importBetterSqlite, leaseOwnOrm } from './own-orm.js';
import { retryWhileLocked } from './retry-while-locked.js';
import { translateError } from './server-errors.js';
import { sqlSettings, type SqlConnectionOptions } from './sql.options.js';
import { assertTablePrefix, DEFAULT_TABLE_PREFIX } from './tables.js';

/** How the queue's tables are found. */
export interface MigrateSqlQueueOptions {
  /** The `tablePrefix` that `sql()` is given. */
  readonly tablePrefix?: string;
}

/** How long a migration waits for the connection, and for another process that migrates, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Creates the queue's tables, or brings older ones up to date, in one transaction. Safe to call at every start and by
 * several processes at once. Resolves with the version that the tables have then.
 *
 * Rejects with a `QueueServerException` when the database cannot be reached or is locked for too long.
 *
 * @publicApi
 */
export async function migrateSqlQueue(
  database: MikroOrmLike | SqlConnectionOptions,
  { tablePrefix = DEFAULT_TABLE_PREFIX }: MigrateSqlQueueOptions = {},
): Promise<number> {
  assertTablePrefix(tablePrefix);
  const dialect = sqliteDialect(tablePrefix, null);
  const executor = await executorOf(database);
  const step = (): Promise<number> =>
    executor.transaction({ acquireTimeoutMs: LONGEST_WAIT_MS }, (session) => migrate(session, tablePrefix));
  try {
    const version = await retryWhileLocked(
      step,
      (error) => dialect.classify(error) === 'locked',
      LONGEST_WAIT_MS,
    );
    // Journal modes are the application's own affair on its own MikroORM.
    if (!isMikroOrm(database)) {
      await executor.session({ acquireTimeoutMs: LONGEST_WAIT_MS }, dialect.prepareOwnConnection);
    }
    return version;
  } catch (error) {
    throw translateError(dialect, error, 'migrateSqlQueue()');
  } finally {
    await executor.close();
  }
}

async function executorOf(database: MikroOrmLike | SqlConnectionOptions): Promise<SqlExecutor> {
  if (isMikroOrm(database)) {
    return sqliteExecutor({ orm: database, close: () => Promise.resolve() });
  }
  const { source } = sqlSettings({ connection: database });
  if (source.kind !== 'own') throw new QueueConfigurationException('migrateSqlQueue(): expected a database.');
  const { orm, release } = await leaseOwnOrm(await importBetterSqlite(), source.file);
  return sqliteExecutor({ orm, close: release });
}

async function migrate(session: SqlSession, tablePrefix: string): Promise<number> {
  const present = await presentVersion(session, tablePrefix);
  let version = present;
  for (const migration of kinetisQueueSql('sqlite', tablePrefix)) {
    if (migration.version <= present) continue;
    for (const statement of migration.statements) await session.run(statement);
    version = migration.version;
  }
  return version;
}

async function presentVersion(session: SqlSession, tablePrefix: string): Promise<number> {
  const found = await session.all('select 1 from sqlite_schema where type = ? and name = ?', [
    'table',
    `${tablePrefix}schema`,
  ]);
  return found.length === 0 ? 0 : sqliteDialect(tablePrefix, null).schemaVersion(session);
}
