import { QueueConfigurationException } from '../../../../contract/index.js';
import { mysql2Pool, isMysql2Pool } from './mysql2-pool.js';
import { isPgPool, pgPool } from './pg-pool.js';
import type { RawPool } from './raw-pool.js';

/** The driver's own pool, which MikroORM 7 gives out. */
export async function nativePool(connection: unknown): Promise<RawPool> {
  const pool = await nativeClient(connection);
  if (isPgPool(pool)) return pgPool(pool);
  if (isMysql2Pool(pool)) return mysql2Pool(pool);
  throw new QueueConfigurationException(
    'sql(): expected a MikroORM 6 or 7 over the pool of pg, mysql2 or mariadb, came another driver. Use ' +
      '@mikro-orm/postgresql, @mikro-orm/mariadb or @mikro-orm/mysql.',
  );
}

async function nativeClient(connection: unknown): Promise<unknown> {
  if (typeof connection !== 'object' || connection === null) return undefined;
  const get: unknown = Reflect.get(connection, 'getNativeClient');
  return typeof get === 'function' ? await get.call(connection) : undefined;
}
