import { describe, QueueConfigurationException } from '../../contract/index.js';

/** What the names of the tables and indexes begin with unless an application says otherwise. */
export const DEFAULT_TABLE_PREFIX = 'kinetis_queue_';

const PREFIX = /^[A-Za-z_][A-Za-z0-9_]{0,31}$/;

/** Refuses what cannot stand in a statement without quotes. */
export function assertTablePrefix(value: unknown): asserts value is string {
  if (typeof value === 'string' && PREFIX.test(value)) return;
  throw new QueueConfigurationException(
    'sql(): tablePrefix: expected a letter or underscore and up to 31 more letters, digits and underscores, came ' +
      `${describe(value)}.`,
  );
}

/** Puts an application's prefix in place of the one that the SQL sources are written with. */
export function withTablePrefix(sql: string, prefix: string): string {
  return prefix === DEFAULT_TABLE_PREFIX ? sql : sql.replaceAll(DEFAULT_TABLE_PREFIX, prefix);
}
