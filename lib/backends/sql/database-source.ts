import { existsSync } from 'node:fs';
import {
  type BackendContext,
  QueueConfigurationException,
  QueueUnavailableException,
  SchemaOutdatedException,
} from '../../contract/index.js';
import { isMikroOrm, type MikroOrmLike } from './executor/mikro-orm.js';
import { importDriver } from './import-driver.js';
import { openDatabase } from './open-database.js';
import { leaseOwnOrm, openServerOrm } from './own-orm.js';
import type { SqlConnectionOptions } from './sql-connection.options.js';
import type { DatabaseSource, SqlDatabase } from './sql-database.js';
import type { SqlSettings } from './sql.options.js';

/** Loads what the settings need, at boot; no connection is opened yet. */
export async function databaseSource(
  settings: SqlSettings,
  context: BackendContext,
): Promise<DatabaseSource> {
  const given = (orm: MikroOrmLike): Promise<SqlDatabase> =>
    openDatabase(settings, { orm, release: () => Promise.resolve(), owned: false });
  const { source } = settings;
  switch (source.kind) {
    case 'orm':
      return { owned: false, open: () => given(source.orm) };
    case 'context': {
      const token = await tokenOf(source.contextName);
      return { owned: false, open: async () => given(resolveOrm(context, token, source.contextName)) };
    }
    case 'own':
      return ownSource(settings, source.connection);
  }
}

/** A database that the queue opens itself. */
export async function ownSource(
  settings: SqlSettings,
  connection: SqlConnectionOptions,
  mayCreate = false,
): Promise<DatabaseSource> {
  const init = await importDriver(connection.driver);
  return {
    owned: true,
    async open() {
      if (connection.driver === 'sqlite' && !mayCreate) assertFileIsThere(connection.file);
      const lease =
        connection.driver === 'sqlite'
          ? await leaseOwnOrm(init, connection.file)
          : await openServerOrm(init, connection, settings.poolSize);
      return openDatabase(settings, { ...lease, owned: true });
    },
  };
}

/** SQLite would make an empty file of a mistyped path, and jobs would wait in it for nobody. Only a migration makes one. */
function assertFileIsThere(file: string): void {
  if (file === ':memory:' || existsSync(file)) return;
  throw new SchemaOutdatedException(
    `sql(): expected the file "${file}" to be there; it is not. If the path is right, \`npx kinetis-queue migrate\`, or ` +
      'migrateSqlQueue({ driver, file }) from @kinetis/nestjs-queue/sql, makes the file and its tables.',
  );
}

/** The tokens of @mikro-orm/nestjs: a string for a named context, the class MikroORM for the only one. */
async function tokenOf(contextName: string | null): Promise<unknown> {
  if (contextName !== null) return `${contextName}_MikroORM`;
  try {
    const { MikroORM } = await import('@mikro-orm/core');
    return MikroORM;
  } catch (error) {
    throw new QueueUnavailableException(
      'sql(): expected @mikro-orm/core and a driver; they cannot be loaded. Install them: ' +
        'npm install @mikro-orm/core@6.6.16 @mikro-orm/better-sqlite@6.6.16 @mikro-orm/nestjs@6.1.2 (or postgresql, ' +
        'mariadb, mysql in place of better-sqlite), or give sql() a `connection`.',
      { cause: error },
    );
  }
}

function resolveOrm(context: BackendContext, token: unknown, contextName: string | null): MikroOrmLike {
  const named = contextName === null ? 'the default context' : `the context "${contextName}"`;
  let orm: unknown;
  try {
    orm = context.resolve<unknown>(token);
  } catch (error) {
    throw new QueueConfigurationException(
      `sql(): the connection "${context.connection}" found no MikroORM for ${named}. Import MikroOrmModule.forRoot() ` +
        'with that contextName, or give sql() an `orm` or a `connection`.',
      { cause: error },
    );
  }
  if (!isMikroOrm(orm)) {
    throw new QueueConfigurationException(`sql(): expected the provider of ${named} to be a MikroORM.`);
  }
  return orm;
}
