import {
  describe,
  type FailedJobsOption,
  failedJobsRetention,
  type FailedJobsRetention,
  QueueConfigurationException,
} from '../../contract/index.js';
import { isMikroOrm, type MikroOrmLike } from './executor/mikro-orm.js';
import { assertTablePrefix, DEFAULT_TABLE_PREFIX } from './tables.js';

/**
 * A database file of the queue's own.
 *
 * @publicApi
 */
export interface SqlConnectionOptions {
  readonly driver: 'sqlite';
  /** Path of the file; it is created when it is not there. `:memory:` serves tests. */
  readonly file: string;
}

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
  /** Opens a MikroORM of the queue's own, in WAL mode, and closes it with the application. */
  readonly connection?: SqlConnectionOptions;
  /** What the names of tables and indexes begin with. Default `kinetis_queue_`. */
  readonly tablePrefix?: string;
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
}

/** `SqlOptions`, checked and complete. */
export interface SqlSettings {
  readonly source:
    | { readonly kind: 'context'; readonly contextName: string | null }
    | { readonly kind: 'orm'; readonly orm: MikroOrmLike }
    | { readonly kind: 'own'; readonly file: string };
  readonly tablePrefix: string;
  readonly leaseSeconds: number;
  /** null where none are kept. */
  readonly failedJobs: FailedJobsRetention | null;
  readonly acquireTimeoutMs: number;
}

const DEFAULT_LEASE_SECONDS = 90;
const DEFAULT_ACQUIRE_TIMEOUT_MS = 5_000;

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
  if (connection !== undefined) return { kind: 'own', file: fileOf(connection) };
  if (contextName === undefined) return { kind: 'context', contextName: null };
  if (typeof contextName !== 'string' || contextName === '') {
    refuse('contextName', 'the name of a MikroORM context', describe(contextName));
  }
  return { kind: 'context', contextName };
}

function fileOf({ driver, file }: SqlConnectionOptions): string {
  if (driver !== 'sqlite') refuse('connection.driver', '"sqlite"', describe(driver));
  if (typeof file !== 'string' || file === '')
    refuse('connection.file', 'the path of a file', describe(file));
  // Not shown: an address holds a password as often as not.
  if (file.includes('://')) refuse('connection.file', 'the path of a file', 'an address');
  return file;
}

/** Throws `QueueConfigurationException` for an option that cannot be used. */
export function sqlSettings(options: SqlOptions): SqlSettings {
  const tablePrefix = options.tablePrefix ?? DEFAULT_TABLE_PREFIX;
  assertTablePrefix(tablePrefix);
  const leaseSeconds = positive('leaseSeconds', options.leaseSeconds ?? DEFAULT_LEASE_SECONDS);
  const acquireTimeoutMs = positive(
    'acquireTimeoutMs',
    options.acquireTimeoutMs ?? DEFAULT_ACQUIRE_TIMEOUT_MS,
  );
  return {
    source: sourceOf(options),
    tablePrefix,
    leaseSeconds,
    failedJobs: failedJobsRetention(options.failedJobs, 'sql()'),
    acquireTimeoutMs: Math.min(acquireTimeoutMs, longestWaitMs(leaseSeconds)),
  };
}

/** A wait for a lock or a connection must leave room for the renewals of a lease, which come at a third of it. */
export function longestWaitMs(leaseSeconds: number): number {
  return (leaseSeconds * 1_000) / 6;
}
