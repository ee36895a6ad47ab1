import { MIGRATIONS } from './migrations.generated.js';
import { DEFAULT_TABLE_PREFIX, withTablePrefix } from './tables.js';

/** A database that there are migrations for. */
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
  return MIGRATIONS[dialect].map(({ version, name, statements }) => ({
    version,
    name: withTablePrefix(name, tablePrefix),
    statements: statements.map((statement) => withTablePrefix(statement, tablePrefix)),
  }));
}
