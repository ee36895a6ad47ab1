import { QueueConfigurationException } from '../../../contract/index.js';
import { knexSqliteExecutor } from './knex-sqlite.executor.js';
import { kyselySqliteExecutor } from './kysely-sqlite.executor.js';
import { knexOf, kyselyOf, type MikroOrmLike } from './mikro-orm.js';
import { isSqliteConnection } from './same-file.js';
import type { SqlExecutor } from './sql-executor.js';

export interface SqliteExecutorOptions {
  readonly orm: MikroOrmLike;
  readonly close: () => Promise<void>;
}

/** The executor for an application's MikroORM, whichever version it is. */
export function sqliteExecutor({ orm, close }: SqliteExecutorOptions): SqlExecutor {
  const connection = orm.em.getConnection();
  const knex = knexOf(connection);
  if (knex !== undefined) {
    if (knex.client.dialect !== 'sqlite3') refuse(knex.client.dialect);
    return knexSqliteExecutor({ connection, knex: () => knexOf(connection) ?? knex, close });
  }
  const kysely = kyselyOf(connection);
  if (kysely === undefined) refuse('a MikroORM of an unknown version');
  if (!isSqliteConnection(connection)) refuse('another database');
  return kyselySqliteExecutor({ connection, kysely: () => kyselyOf(connection) ?? kysely, close });
}

function refuse(came: string): never {
  throw new QueueConfigurationException(
    `sql(): expected a MikroORM 6 or 7 over SQLite, PostgreSQL, MariaDB or MySQL, came ${came}.`,
  );
}
