import { QueueConfigurationException } from '../../../contract/index.js';
import type { SqlRow, SqlValue } from './sql-executor.js';
import type { Statements } from './transaction.js';

interface Statement {
  readonly reader: boolean;
  all(...values: readonly SqlValue[]): SqlRow[];
  run(...values: readonly SqlValue[]): { readonly changes: number };
  safeIntegers(on: boolean): Statement;
}

/** A database handle of better-sqlite3, as far as it is used here. */
export interface BetterSqliteHandle {
  readonly open: boolean;
  /** The file's path as it was given. */
  readonly name: string;
  readonly inTransaction: boolean;
  prepare(sql: string): Statement;
}

export function assertBetterSqlite(handle: unknown): asserts handle is BetterSqliteHandle {
  const fits =
    typeof handle === 'object' &&
    handle !== null &&
    'prepare' in handle &&
    typeof handle.prepare === 'function' &&
    'inTransaction' in handle;
  if (fits) return;
  throw new QueueConfigurationException(
    'sql(): expected a MikroORM over better-sqlite3, came another driver. Use @mikro-orm/better-sqlite (MikroORM 6).',
  );
}

/** The statements that the queue uses are a fixed set, so they are prepared once for a handle. */
const prepared = new WeakMap<BetterSqliteHandle, Map<string, Statement>>();

export function prepareOn(handle: BetterSqliteHandle, sql: string): Statement {
  let statements = prepared.get(handle);
  if (statements === undefined) prepared.set(handle, (statements = new Map()));
  let statement = statements.get(sql);
  if (statement === undefined) {
    // An application may have asked its handle for bigint; the queue's numbers are all safe.
    statement = handle.prepare(sql).safeIntegers(false);
    statements.set(sql, statement);
  }
  return statement;
}

/** Talks to better-sqlite3 itself: MikroORM's `execute()` writes values into the text, and SQLite ends that at a NUL. */
export function betterSqliteSession(handle: BetterSqliteHandle): Statements {
  return {
    async run(sql, values = []) {
      const statement = prepareOn(handle, sql);
      return statement.reader ? statement.all(...values).length : statement.run(...values).changes;
    },
    async all(sql, values = []) {
      return prepareOn(handle, sql).all(...values);
    },
  };
}
