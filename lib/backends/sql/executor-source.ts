import { existsSync } from 'node:fs';
import {
  type BackendContext,
  QueueConfigurationException,
  QueueUnavailableException,
  SchemaOutdatedException,
} from '../../contract/index.js';
import { isMikroOrm, type MikroOrmLike } from './executor/mikro-orm.js';
import type { SqlExecutor } from './executor/sql-executor.js';
import { sqliteExecutor } from './executor/sqlite-executor.js';
import { importBetterSqlite, leaseOwnOrm } from './own-orm.js';
import type { SqlSettings } from './sql.options.js';

export interface ExecutorSource {
  /** True where the connection is the queue's own, so that its settings may be changed. */
  readonly owned: boolean;
  /** Reaches the MikroORM; called once, at first use. */
  open(): Promise<SqlExecutor>;
}

/** Loads what the settings need, at boot; no connection is opened yet. */
export async function executorSource(
  settings: SqlSettings,
  context: BackendContext,
): Promise<ExecutorSource> {
  const given = (orm: MikroOrmLike): SqlExecutor => sqliteExecutor({ orm, close: () => Promise.resolve() });
  const { source } = settings;
  switch (source.kind) {
    case 'orm':
      return { owned: false, open: async () => given(source.orm) };
    case 'context': {
      const token = await tokenOf(source.contextName);
      return { owned: false, open: async () => given(resolveOrm(context, token, source.contextName)) };
    }
    case 'own': {
      const init = await importBetterSqlite();
      return {
        owned: true,
        async open() {
          assertFileIsThere(source.file);
          const { orm, release } = await leaseOwnOrm(init, source.file);
          return sqliteExecutor({ orm, close: release });
        },
      };
    }
  }
}

/** SQLite would make an empty file of a mistyped path, and jobs would wait in it for nobody. Only a migration makes one. */
function assertFileIsThere(file: string): void {
  if (file === ':memory:' || existsSync(file)) return;
  throw new SchemaOutdatedException(
    `sql(): expected the file "${file}" to be there; it is not. If the path is right, migrateSqlQueue({ driver, file }) ` +
      'from @kinetis/nestjs-queue/sql makes the file and its tables.',
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
        'npm install @mikro-orm/core@6.6.16 @mikro-orm/better-sqlite@6.6.16 @mikro-orm/nestjs',
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
