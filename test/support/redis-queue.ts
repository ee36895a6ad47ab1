import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import type { RedisBackend } from '../../lib/backends/redis/redis.backend.js';
import type { Scripts } from '../../lib/backends/redis/scripts.js';
import { redis, type RedisOptions } from '../../lib/redis.js';
import { bareContext } from './bare-context.js';
import { PrivateRedis } from './private-redis.js';
import { deleteKeys, plainClient, redisTestUrl } from './redis-servers.js';

export { idOf, newJob } from './new-job.js';

/** A prefix of a test's own on the tests' server; what stands under it is deleted when the test ends. */
export function newPrefix(): { readonly prefix: string; readonly client: Redis } {
  const prefix = `kinetis_test_${randomBytes(6).toString('hex')}`;
  const client = plainClient();
  onTestFinished(async () => {
    await deleteKeys(client, prefix);
    client.disconnect();
  });
  return { prefix, client };
}

/** A backend of its own, as another process would have it; closed when the test ends. */
export async function openRedis(options: RedisOptions): Promise<RedisBackend> {
  const isSomewhere = options.url ?? options.options ?? options.cluster ?? options.client;
  const where = isSomewhere === undefined ? { url: redisTestUrl().href } : {};
  const backend = (await redis({ ...where, ...options })(bareContext())) as RedisBackend;
  onTestFinished(() => backend.close());
  return backend;
}

/** A Redis of the test's own, gone when the test ends. */
export async function privateRedis(options: readonly string[] = []): Promise<PrivateRedis> {
  const server = await PrivateRedis.start(options);
  onTestFinished(() => server.remove());
  return server;
}

/** A client of the test's own on a server, closed when the test ends. */
export function clientOf(server: PrivateRedis): Redis {
  const client = plainClient(new URL(server.url));
  client.on('error', () => undefined);
  onTestFinished(() => client.disconnect());
  return client;
}

/** Names of the scripts that a backend runs from now on. */
export function scriptsRunBy(backend: RedisBackend): string[] {
  const scripts = Reflect.get(backend, 'parts').scripts as Scripts;
  const run = scripts.run.bind(scripts);
  const ran: string[] = [];
  scripts.run = (name, ...rest) => {
    ran.push(name);
    return run(name, ...rest);
  };
  return ran;
}
