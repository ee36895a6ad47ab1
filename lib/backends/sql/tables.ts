import { describe, QueueConfigurationException } from '../../contract/index.js';

/** What the names of the tables and indexes begin with unless an application says otherwise. */
export const DEFAULT_TABLE_PREFIX = 'kinetis_queue_';

/** Where the tables are. */
export interface TableNames {
  readonly prefix: string;
  /** A PostgreSQL schema or a MySQL database; null for the connection's own. */
  readonly schema: string | null;
}

const PREFIX = /^[A-Za-z_][A-Za-z0-9_]{0,31}$/;
const SCHEMA = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** Refuses what cannot stand in a statement without quotes. */
export function assertTablePrefix(value: unknown): asserts value is string {
  if (typeof value === 'string' && PREFIX.test(value)) return;
  throw new QueueConfigurationException(
    'sql(): tablePrefix: expected a letter or underscore and up to 31 more letters, digits and underscores, came ' +
      `${describe(value)}.`,
  );
}

/** Refuses what cannot name a schema. */
export function assertSchemaName(value: unknown): asserts value is string {
  if (typeof value === 'string' && SCHEMA.test(value)) return;
  throw new QueueConfigurationException(
    'sql(): schema: expected a letter or underscore and up to 62 more letters, digits and underscores, came ' +
      `${describe(value)}.`,
  );
}

/** Names as the SQL sources have them: of tables, and of indexes, which go on after a table's and take no schema. */
const NAMES = new RegExp(`\\b${DEFAULT_TABLE_PREFIX}(?:(jobs|failed_jobs|paused_queues|schema)\\b)?`, 'g');

/**
 * Puts an application's prefix and schema in place of the ones that the SQL sources are written with; in one step, for a
 * schema may have the default prefix in its own name.
 */
export function withTableNames(sql: string, { prefix, schema }: TableNames): string {
  return sql.replace(NAMES, (_name, table: string | undefined) => {
    if (table === undefined) return prefix;
    return `${schema === null ? '' : `${schema}.`}${prefix}${table}`;
  });
}

/** The same tables, the schema in a dialect's quotes. */
export function quotedSchema({ prefix, schema }: TableNames, quote: '"' | '`'): TableNames {
  return { prefix, schema: schema === null ? null : `${quote}${schema}${quote}` };
}
