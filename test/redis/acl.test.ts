import { describe, expect, it, onTestFinished } from 'vitest';
import { ServerRefused } from '../../lib/contract/index.js';
import { startRedisCluster } from '../support/private-redis-cluster.js';
import { waitFor } from '../support/eventually.js';
import { clientOf, idOf, newJob, openRedis, privateRedis } from '../support/redis-queue.js';
import { documentedRights } from '../support/redis-rights.js';
import { isTested } from '../support/servers.js';

describe.runIf(isTested('redis-cluster'))('a user with the rights that docs/redis.md lists', () => {
  it('can do everything that the queue does, and nothing to another prefix', async () => {
    const server = await privateRedis();
    const client = clientOf(server);
    await client.acl('SETUSER', 'queue', ...documentedRights().rules);
    const url = server.url.replace('//', '//queue:hunter2@');
    const backend = await openRedis({ url });
    await backend.connect();
    const large = newJob({ args: { text: 'x'.repeat(5_000) }, uniqueKey: 'a'.repeat(64), priority: 1 });
    await backend.store([large, newJob(), newJob({ delaySeconds: 60 })]);
    const [item, other] = await backend.reserve(['mail'], 2);
    expect(item === undefined ? null : idOf(item)).toBe(large.id);
    const failure = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;
    await backend.settle([
      { operation: 'extend', receipt: item?.receipt, seconds: 5 },
      { operation: 'fail', receipt: item?.receipt, failure },
      { operation: 'release', receipt: other?.receipt, changes: {}, delaySeconds: 0 },
    ]);
    expect((await backend.listFailed({ limit: 10 })).jobs.map(({ id }) => id)).toEqual([large.id]);
    expect(await backend.retryAllFailed()).toEqual({ retried: 1, duplicates: 0 });
    await backend.pauseQueue('mail');
    await backend.resumeQueue('mail');
    expect(await backend.queues()).toEqual(['mail']);
    expect((await backend.listJobs({ queue: 'mail', state: 'ready', limit: 10 })).jobs).toHaveLength(2);
    expect(await backend.removeJob('mail', large.id)).toBe(true);
    expect(await backend.count('mail')).toMatchObject({ ready: 1, delayed: 1 });
    await backend.waitForWork(['mail'], { timeoutMs: 1, limit: 1, signal: AbortSignal.timeout(1) });
    await waitFor(
      'the subscriber',
      async () => Number(((await client.pubsub('NUMSUB', 'kinetis_queue:hints')) as unknown[])[1]) === 1,
    );
    expect(await backend.clear('mail')).toBe(2);
    const elsewhere = await openRedis({ url, prefix: 'elsewhere' });
    await expect(elsewhere.reserve(['mail'], 1)).rejects.toThrow(/NOPERM.*docs\/redis\.md/);
    const log = (await client.acl('LOG')) as unknown[];
    expect(log.map(String).filter((entry) => !entry.includes('elsewhere'))).toEqual([]);
  });

  it('can work on a cluster with the rights that are added for one', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.remove());
    await cluster.client.ping();
    for (const node of cluster.client.nodes('master')) {
      await node.acl('SETUSER', 'queue', ...documentedRights().onCluster);
    }
    const redisOptions = { username: 'queue', password: 'hunter2' };
    const backend = await openRedis({ cluster: { nodes: cluster.nodes, options: { redisOptions } } });
    await backend.connect();
    const queues = ['a', 'b', 'c', 'd'];
    await backend.store(queues.map((queue) => newJob({ queue })));
    const items = await backend.reserve(queues, 10);
    const acks = items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as const);
    expect(await backend.settle(acks)).toEqual(queues.map(() => ({ status: 'applied' })));
    await backend.waitForWork(queues, { timeoutMs: 1, limit: 1, signal: AbortSignal.timeout(1) });
    const logs = await Promise.all(cluster.client.nodes('master').map((node) => node.acl('LOG')));
    expect(logs.flatMap((log) => log as unknown[]).map(String)).toEqual([]);
  });

  it('is told when its password is wrong, without the password', async () => {
    const server = await privateRedis();
    await clientOf(server).config('SET', 'requirepass', 'right');
    const backend = await openRedis({ url: server.url.replace('//', '//:hunter2@') });
    const reaching = backend.connect();
    await expect(reaching).rejects.toThrow(/WRONGPASS.*Nothing was sent/);
    await expect(reaching).rejects.not.toThrow(/hunter2/);
    await expect(reaching).rejects.not.toBeInstanceOf(ServerRefused);
  });
});
