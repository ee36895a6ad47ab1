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

/** Said, for a connection without a prefix of its own has that of "default". */
function tablePrefix(connection: string): Record<string, string> {
  return { [`${named(connection, 'QUEUE')}_PREFIX`]: 'kinetis_queue_' };
}

export async function sqliteStore(connection = 'default'): Promise<Store> {
  const file = await temporaryFile();
  await migrateSqlQueue({ driver: 'sqlite', file });
  const env = {
    [`${named(connection, 'QUEUE')}_CONNECTION`]: 'sql',
    [`${named(connection, 'DB')}_DATABASE`]: file,
    ...tablePrefix(connection),
  };
  return opened(env, sql({ connection: { driver: 'sqlite', file } }));
}

async function serverStore(name: 'postgresql' | 'mariadb', connection = 'default'): Promise<Store> {
  const driver = driverNamed(name);
  const to = connectionTo(driver, await newDatabase(driver));
  await migrateSqlQueue(to);
  const { host = '', port = 0, user = '', password, database = '' } = to;
  const db = named(connection, 'DB');
  const env = {
    [`${named(connection, 'QUEUE')}_CONNECTION`]: 'sql',
    [`${db}_DRIVER`]: name,
    [`${db}_HOST`]: host,
    [`${db}_PORT`]: String(port),
    [`${db}_USER`]: user,
    [`${db}_DATABASE`]: database,
    ...(password === undefined ? {} : { [`${db}_PASSWORD`]: password }),
    ...tablePrefix(connection),
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

/** Opens an empty store, described as a connection of that name ("default" without one). */
export type OpenStore = (connection?: string) => Promise<Store>;

/** The stores that this run tests the commands on. */
export const STORES: readonly (readonly [name: string, open: OpenStore])[] = [
  ['sqlite', sqliteStore],
  ...(isTested('postgres') ? [['postgres', serverStore.bind(null, 'postgresql')] as const] : []),
  ...(isTested('mariadb') ? [['mariadb', serverStore.bind(null, 'mariadb')] as const] : []),
  ...(isTested('redis') ? [['redis', redisStore] as const] : []),
];
