import { MIGRATIONS } from './migrations.generated.js';
import { DEFAULT_TABLE_PREFIX, type TableNames, withTableNames } from './tables.js';

/** A database that there are migrations for; `mysql` serves MariaDB too. */
export type SqlDialectName = keyof typeof MIGRATIONS;

/** One step of the schema, as it is shipped in the folder migrations/ of the package. */
export interface SqlMigration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}

/** The version that this code needs. */
export const SCHEMA_VERSION = Math.max(...MIGRATIONS.sqlite.map(({ version }) => version));

/**
 * The migrations of the queue's tables as plain SQL, oldest first, for applications that bring their own tool.
 *
 * @publicApi
 */
export function kinetisQueueSql(
  dialect: SqlDialectName,
  tablePrefix: string = DEFAULT_TABLE_PREFIX,
): readonly SqlMigration[] {
  return migrationsOn(dialect, { prefix: tablePrefix, schema: null });
}

/** The migrations for tables that may be in a schema of their own. */
export function migrationsOn(dialect: SqlDialectName, tables: TableNames): readonly SqlMigration[] {
  return MIGRATIONS[dialect].map(({ version, name, statements }) => ({
    version,
    name: withTableNames(name, { ...tables, schema: null }),
    statements: statements.map((statement) => withTableNames(statement, tables)),
  }));
}
