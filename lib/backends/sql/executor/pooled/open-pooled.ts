import type { MikroOrmLike } from '../mikro-orm.js';
import type { SqlExecutor } from '../sql-executor.js';
import { flavourOf, type PooledFlavour } from './flavour.js';
import { mysqlDriver } from './mysql.driver.js';
import { openOwnPool, usePoolOf } from './own-pool.js';
import { pgDriver } from './pg.driver.js';
import { listenOn, type ListenHandle, type ListenOptions } from './pg-listener.js';
import type { PooledDriver } from './pooled-driver.js';
import { pooledExecutor } from './pooled.executor.js';

export type { PooledFlavour } from './flavour.js';
export type { ListenHandle, ListenOptions } from './pg-listener.js';

const COMMAND_TIMEOUT_MS = 30_000;

export interface OpenPooledOptions {
  readonly orm: MikroOrmLike;
  /** The ORM belongs to the queue alone, so its own pool is used; else a pool of the queue's own is made from its configuration. */
  readonly own: boolean;
  /** The most connections of the queue's own pool. */
  readonly poolSize: number;
  /** Whether PostgreSQL keeps statements prepared on each connection; not behind a proxy that shares connections. */
  readonly prepare?: boolean;
  /** Longest wait for the answer to one statement, in milliseconds (30,000). */
  readonly commandTimeoutMs?: number;
  /** Called after the pool was ended. */
  readonly close: () => Promise<void>;
}

export interface PooledDatabase {
  readonly flavour: PooledFlavour;
  readonly executor: SqlExecutor;
  /** PostgreSQL only: hears of a channel over a connection of its own, which is made again after it was lost. */
  readonly listen?: (options: ListenOptions) => ListenHandle;
}

/**
 * Reaches PostgreSQL, MySQL or MariaDB through a MikroORM 6 or 7; null when it is over another database. No connection is
 * opened yet.
 *
 * @throws QueueConfigurationException when no pool can be made beside the application's
 */
export async function openPooled(options: OpenPooledOptions): Promise<PooledDatabase | null> {
  const { orm, own, poolSize, commandTimeoutMs = COMMAND_TIMEOUT_MS } = options;
  const connection = orm.em.getConnection();
  const flavour = flavourOf(connection);
  if (flavour === null) return null;
  const driver: PooledDriver =
    flavour === 'postgresql' ? pgDriver({ prepare: options.prepare ?? true }) : mysqlDriver;
  const request = { orm, flavour, driver };
  const pool = own ? await usePoolOf(orm, driver) : await openOwnPool({ ...request, size: poolSize });
  const close = async (): Promise<void> => {
    // An ORM that ends its pool itself fails when it finds it ended.
    if (own) await options.close();
    await pool.end();
    if (!own) await options.close();
  };
  const executor = pooledExecutor({ flavour, driver, pool, connection, commandTimeoutMs, close });
  if (flavour !== 'postgresql') return { flavour, executor };
  const listen = (wanted: ListenOptions): ListenHandle =>
    listenOn(() => openOwnPool({ ...request, size: 1 }), wanted);
  return { flavour, executor, listen };
}
