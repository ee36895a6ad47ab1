import { Cluster, Redis } from 'ioredis';

/** Where the shared server of the tests is. */
export function redisTestUrl(): URL {
  return new URL(process.env['KINETIS_TEST_REDIS_URL'] || 'redis://127.0.0.1:6379');
}

/** A plain client, for a test that looks past the queue. */
export function plainClient(url: URL = redisTestUrl()): Redis {
  return new Redis(url.href);
}

/** Every key that begins with a prefix, on each node. */
export async function keysOf(client: Redis | Cluster, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (const node of client instanceof Cluster ? client.nodes('master') : [client]) {
    for await (const page of node.scanStream({ match: `${prefix}:*`, count: 1_000 })) keys.push(...page);
  }
  return keys;
}

/** Deletes what stands under a prefix, which must be one of a test. */
export async function deleteKeys(client: Redis | Cluster, prefix: string): Promise<void> {
  if (!prefix.includes('test')) throw new Error(`Expected a prefix that contains "test", came "${prefix}".`);
  const keys = await keysOf(client, prefix);
  await Promise.all(keys.map((key) => client.unlink(key)));
}
