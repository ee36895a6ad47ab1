import { QueueConfigurationException } from '../../contract/index.js';
import type { SqlDialect } from './dialects/sql-dialect.js';
import { ownSource } from './database-source.js';
import { isMikroOrm, type MikroOrmLike } from './executor/mikro-orm.js';
import type { SqlSession } from './executor/sql-executor.js';
import { migrationsOn, type SqlMigration } from './migrations.js';
import { openDatabase } from './open-database.js';
import { translateError } from './server-errors.js';
import { ShortestLease } from './shortest-lease.js';
import type { SqlConnectionOptions } from './sql-connection.options.js';
import type { DatabaseSource } from './sql-database.js';
import { SqlGate } from './sql-gate.js';
import { type SqlOptions, type SqlSettings, sqlSettings } from './sql.options.js';
import { StatementFailed } from './statement-failed.js';

/**
 * How the queue's tables are found: as `sql()` is told.
 *
 * @publicApi
 */
export type MigrateSqlQueueOptions = Pick<SqlOptions, 'tablePrefix' | 'schema'>;

/** How long a migration waits for the connection, and for another process that migrates, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;

/** How long one of its statements may take, in milliseconds: an index over many rows takes its time. */
const LONGEST_STATEMENT_MS = 3_600_000;

/**
 * Creates the queue's tables, or brings older ones up to date. Safe to call at every start and by several processes at
 * once. Resolves with the version that the tables have then.
 *
 * Rejects with a `QueueServerException` when the database cannot be reached or is locked for too long, and with a
 * `QueueConfigurationException` when the schema that the tables go to is not there.
 *
 * @publicApi
 */
export async function migrateSqlQueue(
  database: MikroOrmLike | SqlConnectionOptions,
  options: MigrateSqlQueueOptions = {},
): Promise<number> {
  const settings = settingsOf(database, options);
  return migrateTables(settings, await sourceOf(settings));
}

/** Makes the tables of a database, or brings them up to date. */
export async function migrateTables(settings: SqlSettings, source: DatabaseSource): Promise<number> {
  const gate = new SqlGate({
    source,
    lease: new ShortestLease(Number.POSITIVE_INFINITY),
    acquireTimeoutMs: LONGEST_WAIT_MS,
    longestLockWaitMs: LONGEST_WAIT_MS,
  });
  try {
    return await gate.session((session, dialect) =>
      dialect.exclusively(session, () => migrate(session, dialect, settings)),
    );
  } catch (error) {
    throw missingSchema(error, settings) ?? translateError(error, 'migrateSqlQueue()');
  } finally {
    await gate.close();
  }
}

/** The settings of a migration, whatever those of the jobs are. */
export const MIGRATION_SETTINGS = { poolSize: 1, commandTimeoutMs: LONGEST_STATEMENT_MS } as const;

/** What lacks the tables asks for a migration; what keeps a migration from making them needs other words. */
function missingSchema(error: unknown, { tables: { schema } }: SqlSettings): Error | null {
  if (!(error instanceof StatementFailed) || error.kind !== 'schema') return null;
  const name = schema === null ? '' : ` "${schema}"`;
  return new QueueConfigurationException(
    `migrateSqlQueue(): expected the schema or database${name} to be there, came none. A migration makes tables alone: ` +
      'create it first, or name another in `schema`.',
    { cause: error.cause },
  );
}

function settingsOf(
  database: MikroOrmLike | SqlConnectionOptions,
  { tablePrefix, schema }: MigrateSqlQueueOptions,
): SqlSettings {
  const target = isMikroOrm(database) ? { orm: database } : { connection: database };
  return sqlSettings({
    ...target,
    ...MIGRATION_SETTINGS,
    ...(tablePrefix === undefined ? {} : { tablePrefix }),
    ...(schema === undefined ? {} : { schema }),
  });
}

async function sourceOf(settings: SqlSettings): Promise<DatabaseSource> {
  const { source } = settings;
  if (source.kind === 'own') return ownSource(settings, source.connection, true);
  if (source.kind === 'context') throw new TypeError('migrateSqlQueue(): expected a database.');
  const release = (): Promise<void> => Promise.resolve();
  return { owned: false, open: () => openDatabase(settings, { orm: source.orm, release, owned: false }) };
}

async function migrate(session: SqlSession, dialect: SqlDialect, settings: SqlSettings): Promise<number> {
  const present = await dialect.presentVersion(session);
  let version = present;
  for (const migration of pendingMigrations(dialect, settings, present)) {
    for (const statement of migration.statements) await session.run(statement);
    version = migration.version;
  }
  return version;
}

/** What lies between a version of the tables and this code, oldest first. */
export function pendingMigrations(
  { name }: Pick<SqlDialect, 'name'>,
  { tables }: Pick<SqlSettings, 'tables'>,
  present: number,
): readonly SqlMigration[] {
  return migrationsOn(name, tables).filter(({ version }) => version > present);
}
