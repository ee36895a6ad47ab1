import type { SqlFailure } from './sql-dialect.js';

/** By SQLSTATE (appendix A of PostgreSQL's manual), the first that fits. */
const BY_STATE: readonly (readonly [state: RegExp, failure: SqlFailure])[] = [
  // serialization_failure, deadlock_detected, lock_not_available
  [/^(40001|40P01|55P03)$/, 'locked'],
  // undefined_table, undefined_column, invalid_schema_name
  [/^(42P01|42703|3F000)$/, 'schema'],
  // insufficient_privilege
  [/^42501$/, 'forbidden'],
  // cannot_connect_now
  [/^57P03$/, 'unreachable'],
  // connection exceptions; admin_shutdown, crash_shutdown and their like come in the middle of a statement
  [/^(08|57P)/, 'unknown'],
  // resources, query_canceled, read_only_sql_transaction, system and internal errors; the plan or the name of a
  // prepared statement that is gone, which another connection has again
  [/^(53|57014$|25006$|58|XX|0A000$|26000$)/, 'refused'],
];

/** What an error of pg says of the statement that met it. */
export function classifyPostgresql(error: unknown): SqlFailure {
  if (!(error instanceof Error)) return 'defect';
  if ('severity' in error && 'code' in error) {
    const state = String(error.code);
    return BY_STATE.find(([pattern]) => pattern.test(state))?.[1] ?? 'defect';
  }
  // pg's own errors have no code: a client that broke before it sent anything, and one that broke after.
  if (/was closed and is not queryable|not queryable/i.test(error.message)) return 'unreachable';
  if ('code' in error && typeof error.code === 'string') return 'unknown';
  return /connection|terminated|timeout/i.test(error.message) ? 'unknown' : 'defect';
}
