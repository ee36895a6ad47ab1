import {
  ConnectionFailed,
  OutcomeUnknown,
  SchemaOutdatedException,
  ServerRefused,
} from '../../contract/index.js';
import type { SqlDialect } from './dialects/sql-dialect.js';
import { AcquireFailed } from './executor/acquire-failed.js';

/** How an application brings its tables up to date; part of every message that asks for it. */
export const MIGRATE_HINT =
  'Run migrateSqlQueue(orm), or migrateSqlQueue({ driver, file }), from @kinetis/nestjs-queue/sql, or add kinetisQueueMigrations() to the migrationsList of ' +
  'MikroORM and run `npx mikro-orm migration:up`, or apply the files in node_modules/@kinetis/nestjs-queue/migrations.';

/**
 * What an error of the database is to the layers above: trouble with the server, tables to migrate, or, unchanged, a
 * defect. `action` begins the message, such as "reserve()".
 */
export function translateError(dialect: SqlDialect, error: unknown, action: string): unknown {
  if (error instanceof AcquireFailed) {
    const why =
      error.reason === 'timeout'
        ? 'a transaction of this application may hold it'
        : `it cannot be opened (${codeOf(error.cause ?? error)})`;
    return new ConnectionFailed(
      `${action}: no connection to the database was to be had: ${why}. Nothing was sent.`,
      {
        cause: error,
      },
    );
  }
  const options = { cause: error };
  switch (dialect.classify(error)) {
    case 'locked':
    case 'refused':
      return new ServerRefused(`${action}: the database did not apply it (${codeOf(error)}).`, options);
    case 'unreachable':
      return new ConnectionFailed(`${action}: the database cannot be reached (${codeOf(error)}).`, options);
    case 'unknown':
      return new OutcomeUnknown(`${action}: the database failed on the way (${codeOf(error)}).`, options);
    case 'schema':
      return new SchemaOutdatedException(
        `${action}: the tables of the queue are missing or older than this code. ${MIGRATE_HINT}`,
        options,
      );
    case 'defect':
      return error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'connection closed';
}
