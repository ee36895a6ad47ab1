import {
  ConnectionFailed,
  OutcomeUnknown,
  SchemaOutdatedException,
  ServerRefused,
} from '../../contract/index.js';
import { AcquireFailed } from './executor/acquire-failed.js';
import { StatementFailed } from './statement-failed.js';

/** How an application brings its tables up to date; part of every message that asks for it. */
export const MIGRATE_HINT =
  'Run `npx kinetis-queue migrate` (docs/commands.md), or migrateSqlQueue(orm) from @kinetis/nestjs-queue/sql, or ' +
  'migrateSqlQueue(connection) with what sql() is given as `connection`, or add kinetisQueueMigrations() to the ' +
  'migrationsList of MikroORM and run `npx mikro-orm migration:up`, or apply the files in ' +
  'node_modules/@kinetis/nestjs-queue/migrations.';

const TRY_AGAIN = 'try again; if it stays, check that the database runs and that its address is right';

/** Why there was no connection, and what to do. */
const WHY_NONE: { readonly [Reason in AcquireFailed['reason']]: (error: AcquireFailed) => string } = {
  held: () =>
    'a transaction of this application may hold it. Nothing was sent: try again, and keep transactions short',
  timeout: () =>
    "all of the queue's own are in use, or the server is slow to open one. Nothing was sent: try again; if it stays, " +
    'raise `poolSize` or `acquireTimeoutMs`',
  lost: (error) => `it cannot be opened (${codeOf(error.cause ?? error)}). Nothing was sent: ${TRY_AGAIN}`,
};

/** It was waited in vain for a connection: nothing was applied, and it may be tried again. */
export function refusedForWant(error: AcquireFailed, action: string): ServerRefused {
  return new ServerRefused(
    `${action}: expected a connection to the database, came none in time: ${WHY_NONE[error.reason](error)}.`,
    { cause: error },
  );
}

/**
 * What an error of the database is to the layers above: trouble with the server, tables to migrate, or, unchanged, a
 * defect. `action` begins the message, such as "reserve()".
 */
export function translateError(error: unknown, action: string): unknown {
  if (error instanceof AcquireFailed) {
    return new ConnectionFailed(
      `${action}: expected a connection to the database, came none: ${WHY_NONE[error.reason](error)}.`,
      { cause: error },
    );
  }
  return error instanceof StatementFailed ? translateFailure(error, action) : error;
}

function translateFailure({ kind, cause }: StatementFailed, action: string): unknown {
  const options = { cause };
  switch (kind) {
    case 'locked':
      return new ServerRefused(
        `${action}: expected the database to apply it, but it stayed locked by another connection (${codeOf(cause)}). ` +
          'Nothing was changed: try again after a pause, as a worker does by itself; if it stays, look for a long ' +
          'transaction, a backup or a shell that holds the lock.',
        options,
      );
    case 'refused':
      return new ServerRefused(
        `${action}: expected the database to apply it, came a refusal (${codeOf(cause)}). Nothing was changed: try again ` +
          'after a pause, as a worker does by itself.',
        options,
      );
    case 'unreachable':
      return new ConnectionFailed(
        `${action}: expected to reach the database, came ${codeOf(cause)}. Nothing was changed: ${TRY_AGAIN}.`,
        options,
      );
    case 'unknown':
      return new OutcomeUnknown(
        `${action}: expected an answer of the database, came ${codeOf(cause)}: it may have applied it or not. Look before ` +
          'you repeat a push: a second copy may be stored.',
        options,
      );
    case 'schema':
      return new SchemaOutdatedException(
        `${action}: expected the tables of the queue as this code knows them; they are missing or older. ${MIGRATE_HINT}`,
        options,
      );
    case 'forbidden':
      return new ServerRefused(
        `${action}: expected the database user to be allowed this, came a refusal (${codeOf(cause)}). Nothing was ` +
          'changed: docs/sql.md lists what each role needs.',
        options,
      );
    case 'defect':
      return cause;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'connection closed';
}
