import { Cluster, Redis, type RedisOptions as ClientOptions } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RedisBackend } from '../../lib/backends/redis/redis.backend.js';
import { waitFor } from '../support/eventually.js';
import { startRedisCluster } from '../support/private-redis-cluster.js';
import { idOf, newJob, newPrefix, openRedis } from '../support/redis-queue.js';
import { keysOf, redisTestUrl } from '../support/redis-servers.js';
import { isTested } from '../support/servers.js';

type TheirOptions = ClientOptions & { readonly replyMapping?: 'legacy' | 'resp3' };

/** What an application may have set for its own commands, and what the queue's must not do. */
const theirOptions: readonly [what: string, options: TheirOptions][] = [
  ['the options of ioredis', {}],
  ['a prefix of its keys', { keyPrefix: 'theirs:' }],
  ['commands that are gathered', { enableAutoPipelining: true }],
  ['commands that fail while there is no connection', { enableOfflineQueue: false }],
  ['commands that are sent again for ever', { maxRetriesPerRequest: null, reconnectOnError: () => 2 }],
  ['the older protocol', { protocol: 2 }],
  ['the shapes of the newer protocol', { protocol: 3, replyMapping: 'resp3' }],
  ['numbers as texts', { stringNumbers: true }],
  ['no look whether the server has loaded', { enableReadyCheck: false }],
  ['subscriptions that are not made again', { autoResubscribe: false }],
  ['no connection yet', { lazyConnect: true }],
  ['another database', { db: 1 }],
];

/** One job each way, and a wait. */
async function useAll(backend: RedisBackend): Promise<void> {
  const [first, second] = [newJob({ args: { text: 'x'.repeat(5_000) } }), newJob({ priority: 5 })];
  await backend.connect();
  await backend.store([first, second]);
  expect(await backend.count('mail')).toMatchObject({ ready: 2, failed: 0 });
  const items = await backend.reserve(['mail'], 5);
  expect(items.map(idOf)).toEqual([second.id, first.id]);
  expect(items[1]?.body).toBe(first.body);
  const failure = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;
  const [ack, fail] = await backend.settle([
    { operation: 'ack', receipt: items[0]?.receipt, followUps: [] },
    { operation: 'fail', receipt: items[1]?.receipt, failure },
  ]);
  expect([ack?.status, fail?.status]).toEqual(['applied', 'applied']);
  expect((await backend.listFailed({ limit: 5 })).jobs.map(({ body }) => body)).toEqual([first.body]);
  expect(await backend.retryFailed(first.id)).toBe('retried');
  expect(await backend.queues()).toEqual(['mail']);
  expect(await backend.clear('mail')).toBe(1);
}

describe.runIf(isTested('redis'))('a client of the application', () => {
  it.each(theirOptions)('with %s shows the way, and is not closed', async (_what, options) => {
    const { prefix } = newPrefix();
    const theirs = new Redis(redisTestUrl().href, options);
    onTestFinished(async () => {
      await theirs.quit();
    });
    await theirs.connect().catch(() => undefined);
    await waitFor('their connection', () => theirs.status === 'ready');
    const backend = await openRedis({ client: theirs, prefix });
    await useAll(backend);
    const plain = new Redis(redisTestUrl().href, { db: options.db ?? 0 });
    expect(await keysOf(plain, prefix)).toContain(`${prefix}:queues`);
    await plain.del(`${prefix}:queues`, `${prefix}:{mail}:place`);
    plain.disconnect();
    await backend.close();
    expect(await theirs.ping()).toBe('PONG');
  });
});

describe.runIf(isTested('redis-cluster'))('a cluster client of the application', () => {
  it('shows the way, whatever it does with its own commands, and is not closed', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.remove());
    const theirs = new Cluster([...cluster.nodes], {
      keyPrefix: 'theirs:',
      enableAutoPipelining: true,
      enableOfflineQueue: true,
      scaleReads: 'slave',
      retryDelayOnFailover: 100,
      redisOptions: { maxRetriesPerRequest: null, keyPrefix: 'theirs:' },
    });
    onTestFinished(() => theirs.disconnect());
    const backend = await openRedis({ client: theirs, prefix: 'kinetis_test', commandTimeoutMs: 2_000 });
    await useAll(backend);
    const queues = ['a', 'b', 'c', 'd', 'e', 'f'];
    const jobs = queues.map((queue) => newJob({ queue }));
    expect((await backend.store(jobs)).map(({ status }) => status)).toEqual(jobs.map(() => 'applied'));
    expect(await backend.queues()).toEqual(queues);
    expect((await keysOf(cluster.client, 'kinetis_test')).length).toBeGreaterThan(queues.length);
    const items = await backend.reserve(queues, 10);
    expect(items.map(idOf)).toEqual(jobs.map(({ id }) => id));
    await backend.close();
    expect(await theirs.ping()).toBe('PONG');
  });
});
