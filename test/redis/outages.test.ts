import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionFailed, ServerRefused, type StoreOutcome } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { startRedisCluster } from '../support/private-redis-cluster.js';
import type { PrivateRedis } from '../support/private-redis.js';
import { clientOf, idOf, newJob, openRedis, privateRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';
import { TcpProxy } from '../support/tcp-proxy.js';

function errorOf(outcome: StoreOutcome | undefined): Error | null {
  return outcome !== undefined && 'error' in outcome ? outcome.error : null;
}

/** A wire to a server, which loses requests of one command; the target may be changed for later connections. */
async function wireTo({ port }: PrivateRedis, losing = '') {
  const target = { host: '127.0.0.1', port };
  const reader = () => (chunk: Buffer) => {
    const writes = chunk.toString('latin1').toLowerCase().includes(`\r\n${losing}\r\n`);
    return { writes, commits: writes };
  };
  const options = Object.assign(target, { reader });
  const wire = await TcpProxy.open(options);
  onTestFinished(() => wire.close());
  return { wire, options, url: `redis://127.0.0.1:${wire.port}` };
}

describe.runIf(isTested('redis-cluster'))('the queue', () => {
  it('leaves a master that became a replica for the one that has its address now', async () => {
    const [first, second] = [await privateRedis(), await privateRedis()];
    const { options, url } = await wireTo(first);
    const backend = await openRedis({ url });
    await backend.store([newJob()]);
    await clientOf(first).call('replicaof', '127.0.0.1', second.port);
    options.port = second.port;
    const [outcome] = await backend.store([newJob()]);
    expect(errorOf(outcome)).toBeInstanceOf(ServerRefused);
    const job = newJob();
    await waitFor(
      'a push to the new master',
      async () => (await backend.store([job]))[0]?.status === 'applied',
    );
    expect((await backend.reserve(['mail'], 5)).map(idOf)).toEqual([job.id]);
  });

  it('connects again by itself when the given options let ioredis give up', async () => {
    const server = await privateRedis();
    const backend = await openRedis({ url: server.url, options: { retryStrategy: () => null } });
    await backend.store([newJob()]);
    await server.kill();
    expect(errorOf((await backend.store([newJob()]))[0])).toBeInstanceOf(ConnectionFailed);
    await server.start();
    await waitFor('a push', async () => (await backend.store([newJob()]))[0]?.status === 'applied');
  });

  it('tells that a push was not sent when the name of its queue got no answer', async () => {
    const server = await privateRedis();
    const { wire, url } = await wireTo(server, 'sadd');
    const backend = await openRedis({ url });
    await backend.connect();
    const lost = wire.lose('answer');
    const [outcome] = await backend.store([newJob()]);
    await lost;
    expect(outcome?.status).toBe('refused');
    expect(errorOf(outcome)).toBeInstanceOf(ConnectionFailed);
    expect(errorOf(outcome)?.message).toMatch(/name of the queue.*not sent/);
    expect(await backend.queues()).toEqual([]);
  });

  it('tells that a cluster which is down refused a push, and did not leave it unknown', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.remove());
    const backend = await openRedis({ cluster: { nodes: cluster.nodes } });
    const queues = Array.from({ length: 12 }, (_, index) => `q${index}`);
    await backend.store(queues.map((queue) => newJob({ queue })));
    await cluster.client.ping();
    for (const node of cluster.client.nodes('master')) {
      await node.flushall();
      await node.call('cluster', 'flushslots');
    }
    const outcomes = await backend.store(queues.map((queue) => newJob({ queue })));
    for (const outcome of outcomes) {
      expect(errorOf(outcome)).toBeInstanceOf(ServerRefused);
      expect(errorOf(outcome)?.message).toMatch(/CLUSTERDOWN.*Nothing was changed/);
    }
  });
});

describe.runIf(isTested('redis-cluster'))('an error, with all that it was caused by, does not hold', () => {
  const everythingOf = (value: unknown): string =>
    inspect(value, { depth: Infinity, maxArrayLength: null, maxStringLength: null, showHidden: true });

  it('a password', async () => {
    const server = await privateRedis();
    await clientOf(server).config('SET', 'requirepass', 'right');
    const backend = await openRedis({ url: server.url.replace('//', '//:hunter2@') });
    const error = await backend.connect().catch((thrown: unknown) => thrown);
    expect(everythingOf(error)).toMatch(/WRONGPASS/);
    expect(everythingOf(error)).not.toMatch(/hunter2/);
  });

  it('a password for a cluster', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.remove());
    await cluster.client.ping();
    for (const node of cluster.client.nodes('master')) await node.config('SET', 'requirepass', 'right');
    const redisOptions = { password: 'hunter2' };
    const backend = await openRedis({ cluster: { nodes: cluster.nodes, options: { redisOptions } } });
    const error = await backend.connect().catch((thrown: unknown) => thrown);
    expect(everythingOf(error)).toMatch(/WRONGPASS/);
    expect(everythingOf(error)).not.toMatch(/hunter2/);
  });

  it('a payload', async () => {
    const server = await privateRedis();
    const backend = await openRedis({ url: server.url });
    await backend.store([newJob()]);
    await clientOf(server).config('SET', 'maxmemory', '1');
    const [outcome] = await backend.store([newJob({ args: { token: 'hunter2' } })]);
    expect(everythingOf(outcome)).toMatch(/OOM/);
    expect(everythingOf(outcome)).not.toMatch(/hunter2/);
  });
});
