import type { SqlRow, SqlSession, SqlValue } from '../executor/sql-executor.js';
import type { SQLITE_STATEMENTS } from '../sqlite-statements.generated.js';
import { type TableNames, withTableNames } from '../tables.js';

/** A statement as a dialect's drivers take it, and the name of the value that stands at each place. */
export interface Statement {
  readonly sql: string;
  readonly names: readonly string[];
}

/** What every dialect can say, in its own words. */
export type StatementName = keyof typeof SQLITE_STATEMENTS;

export type StatementValues = { readonly [name: string]: SqlValue };

/** The statements of a dialect on an application's tables. */
export function statementsOn<Name extends string>(
  sources: { readonly [N in Name]: Statement },
  tables: TableNames,
): { readonly [N in Name]: Statement } {
  const entries = Object.entries<Statement>(sources).map(([name, { sql, names }]) => [
    name,
    { sql: withTableNames(sql, tables), names },
  ]);
  return Object.fromEntries(entries) as { readonly [N in Name]: Statement };
}

/** Runs a statement and says how many rows it changed. */
export function run(
  session: SqlSession,
  statement: Statement,
  values: StatementValues = {},
): Promise<number> {
  return session.run(statement.sql, placed(statement, values));
}

export function all(
  session: SqlSession,
  statement: Statement,
  values: StatementValues = {},
): Promise<readonly SqlRow[]> {
  return session.all(statement.sql, placed(statement, values));
}

export async function first(
  session: SqlSession,
  statement: Statement,
  values: StatementValues = {},
): Promise<SqlRow | null> {
  const [row] = await all(session, statement, values);
  return row ?? null;
}

function placed({ names }: Statement, values: StatementValues): SqlValue[] {
  return names.map((name) => {
    const value = values[name];
    if (value === undefined)
      throw new TypeError(`A statement of the queue expected a value for :${name}, came none.`);
    return value;
  });
}
