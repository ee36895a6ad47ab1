import { onTestFinished } from 'vitest';
import type { QueueBackend } from '../../../lib/contract/index.js';
import { redis } from '../../../lib/redis.js';
import { migrateSqlQueue, sql } from '../../../lib/sql.js';
import { bareContext } from '../../support/bare-context.js';
import { newPrefix } from '../../support/redis-queue.js';
import { redisTestUrl } from '../../support/redis-servers.js';
import { isTested } from '../../support/servers.js';
import { temporaryFile } from '../../support/sql-files.js';
import { connectionTo, driverNamed, newDatabase } from '../../support/sql-servers.js';

/** An empty store of a test's own: how the environment describes it, and a backend on it, as an application has it. */
export interface Store {
  readonly env: Readonly<Record<string, string>>;
  readonly backend: QueueBackend;
}

async function opened(env: Store['env'], factory: ReturnType<typeof sql>): Promise<Store> {
  const backend = await factory(bareContext());
  onTestFinished(() => backend.close());
  return { env, backend };
}

/** The variables of one connection: those of "default" have no name in them. */
function named(connection: string, prefix: string): string {
  return connection === 'default' ? prefix : `${prefix}_${connection.toUpperCase()}`;
}

export async function sqliteStore(connection = 'default'): Promise<Store> {
  const file = await temporaryFile();
  await migrateSqlQueue({ driver: 'sqlite', file });
  const env = {
    [`${named(connection, 'QUEUE')}_CONNECTION`]: 'sql',
    [`${named(connection, 'DB')}_DATABASE`]: file,
  };
  return opened(env, sql({ connection: { driver: 'sqlite', file } }));
}

async function serverStore(name: 'postgresql' | 'mariadb'): Promise<Store> {
  const driver = driverNamed(name);
  const to = connectionTo(driver, await newDatabase(driver));
  await migrateSqlQueue(to);
  const { host = '', port = 0, user = '', password, database = '' } = to;
  const env = {
    QUEUE_CONNECTION: 'sql',
    DB_DRIVER: name,
    DB_HOST: host,
    DB_PORT: String(port),
    DB_USER: user,
    DB_DATABASE: database,
    ...(password === undefined ? {} : { DB_PASSWORD: password }),
  };
  return opened(env, sql({ connection: to }));
}

export async function redisStore(connection = 'default'): Promise<Store> {
  const { prefix } = newPrefix();
  const url = redisTestUrl().href;
  const env = {
    [`${named(connection, 'QUEUE')}_CONNECTION`]: 'redis',
    [`${named(connection, 'REDIS')}_URL`]: url,
    [`${named(connection, 'QUEUE')}_PREFIX`]: prefix,
  };
  return opened(env, redis({ url, prefix }));
}

/** The stores that this run tests the commands on. */
export const STORES: readonly (readonly [name: string, open: () => Promise<Store>])[] = [
  ['sqlite', () => sqliteStore()],
  ...(isTested('postgres') ? [['postgres', () => serverStore('postgresql')] as const] : []),
  ...(isTested('mariadb') ? [['mariadb', () => serverStore('mariadb')] as const] : []),
  ...(isTested('redis') ? [['redis', () => redisStore()] as const] : []),
];
