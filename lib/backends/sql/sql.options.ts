import {
  describe,
  type FailedJobsOption,
  failedJobsRetention,
  type FailedJobsRetention,
  QueueConfigurationException,
} from '../../contract/index.js';
import { isMikroOrm, type MikroOrmLike } from './executor/mikro-orm.js';
import { checkConnection, type SqlConnectionOptions } from './sql-connection.options.js';
import { assertSchemaName, assertTablePrefix, DEFAULT_TABLE_PREFIX, type TableNames } from './tables.js';

/**
 * Where the jobs are kept, and for how long a worker may hold one. With none of `orm`, `contextName` and `connection`
 * the application's only MikroORM is used.
 *
 * @publicApi
 */
export interface SqlOptions {
  /** Name of the MikroORM context (`contextName` of `MikroOrmModule.forRoot`). */
  readonly contextName?: string;
  /** A MikroORM of the application, which stays responsible for closing it. */
  readonly orm?: MikroOrmLike;
  /** A database that the queue opens itself (a SQLite file in WAL mode) and closes with the application. */
  readonly connection?: SqlConnectionOptions;
  /** What the names of tables and indexes begin with. Default `kinetis_queue_`. */
  readonly tablePrefix?: string;
  /** The schema (PostgreSQL) or database (MySQL, MariaDB) of the tables. Default: the connection's own. */
  readonly schema?: string;
  /** Visibility timeout in seconds: how long a delivery is a worker's alone. A job may name its own. Default 90. */
  readonly leaseSeconds?: number;
  /** How long failed jobs are kept; `false` keeps none. Default: 30 days and 10,000 of a queue. */
  readonly failedJobs?: FailedJobsOption;
  /**
   * Longest wait in milliseconds for a connection that others hold. On SQLite the application and the queue share one:
   * a push that waits longer is refused and asks for the `transaction` option. Default 5,000, and never more than a
   * sixth of `leaseSeconds`.
   */
  readonly acquireTimeoutMs?: number;
  /**
   * PostgreSQL, MySQL, MariaDB: connections that the queue opens beside those of the application at most, so that
   * handlers that hold all of the application's cannot keep it from settling. A worker on PostgreSQL has one more, that
   * listens for new jobs. Default 4.
   */
  readonly poolSize?: number;
  /**
   * PostgreSQL, MySQL, MariaDB: longest wait in milliseconds for the answer to one statement. Then its outcome is
   * unknown, and its connection is given up: a server or a network that has gone silent says so no other way. Default
   * 30,000.
   */
  readonly commandTimeoutMs?: number;
  /**
   * PostgreSQL: hears of new jobs of other processes at once, by LISTEN and NOTIFY. `false` where connections go through
   * a pooler in transaction mode; a waiting worker then looks every second. Default true.
   */
  readonly notify?: boolean;
  /** PostgreSQL: statements are prepared once for each connection. `false` for a pooler that cannot. Default true. */
  readonly prepareStatements?: boolean;
}

/** `SqlOptions`, checked and complete. */
export interface SqlSettings {
  readonly source:
    | { readonly kind: 'context'; readonly contextName: string | null }
    | { readonly kind: 'orm'; readonly orm: MikroOrmLike }
    | { readonly kind: 'own'; readonly connection: SqlConnectionOptions };
  readonly tables: TableNames;
  readonly leaseSeconds: number;
  /** null where none are kept. */
  readonly failedJobs: FailedJobsRetention | null;
  readonly acquireTimeoutMs: number;
  readonly poolSize: number;
  readonly commandTimeoutMs: number;
  readonly notify: boolean;
  readonly prepareStatements: boolean;
}

const DEFAULT_LEASE_SECONDS = 90;
const DEFAULT_ACQUIRE_TIMEOUT_MS = 5_000;
const DEFAULT_POOL_SIZE = 4;
const DEFAULT_COMMAND_TIMEOUT_MS = 30_000;
/** Longest time that a timer takes. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

function refuse(option: string, expected: string, came: string): never {
  throw new QueueConfigurationException(`sql(): ${option}: expected ${expected}, came ${came}.`);
}

function positive(option: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    refuse(option, 'a positive finite number', describe(value));
  }
  return value;
}

function sourceOf({ contextName, orm, connection }: SqlOptions): SqlSettings['source'] {
  const given = [contextName, orm, connection].filter((option) => option !== undefined).length;
  if (given > 1) refuse('contextName, orm, connection', 'at most one of them', String(given));
  if (orm !== undefined) {
    if (!isMikroOrm(orm)) refuse('orm', 'an instance of MikroORM', describe(orm));
    return { kind: 'orm', orm };
  }
  if (connection !== undefined) return { kind: 'own', connection: checkConnection(connection) };
  if (contextName === undefined) return { kind: 'context', contextName: null };
  if (typeof contextName !== 'string' || contextName === '') {
    refuse('contextName', 'the name of a MikroORM context', describe(contextName));
  }
  return { kind: 'context', contextName };
}

function count(option: string, value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    refuse(option, 'an integer of 1 or more', describe(value));
  }
  return value;
}

function flag(option: string, value: unknown): boolean {
  if (typeof value !== 'boolean') refuse(option, 'true or false', describe(value));
  return value;
}

/** The tables that options name. Throws `QueueConfigurationException` for a name that cannot be used. */
export function tablesOf({
  tablePrefix = DEFAULT_TABLE_PREFIX,
  schema,
}: Pick<SqlOptions, 'tablePrefix' | 'schema'>): TableNames {
  assertTablePrefix(tablePrefix);
  if (schema !== undefined) assertSchemaName(schema);
  return { prefix: tablePrefix, schema: schema ?? null };
}

/** Throws `QueueConfigurationException` for an option that cannot be used. */
export function sqlSettings(options: SqlOptions): SqlSettings {
  const leaseSeconds = positive('leaseSeconds', options.leaseSeconds ?? DEFAULT_LEASE_SECONDS);
  const acquireTimeoutMs = positive(
    'acquireTimeoutMs',
    options.acquireTimeoutMs ?? DEFAULT_ACQUIRE_TIMEOUT_MS,
  );
  return {
    source: sourceOf(options),
    tables: tablesOf(options),
    leaseSeconds,
    failedJobs: failedJobsRetention(options.failedJobs, 'sql()'),
    acquireTimeoutMs: Math.min(acquireTimeoutMs, longestWaitMs(leaseSeconds)),
    commandTimeoutMs: Math.min(
      positive('commandTimeoutMs', options.commandTimeoutMs ?? DEFAULT_COMMAND_TIMEOUT_MS),
      LONGEST_TIMEOUT_MS,
    ),
    poolSize: count('poolSize', options.poolSize ?? DEFAULT_POOL_SIZE),
    notify: flag('notify', options.notify ?? true),
    prepareStatements: flag('prepareStatements', options.prepareStatements ?? true),
  };
}

/** A wait for a lock or a connection must leave room for the renewals of a lease, which come at a third of it. */
export function longestWaitMs(leaseSeconds: number): number {
  return (leaseSeconds * 1_000) / 6;
}
