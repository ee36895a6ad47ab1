import type { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { waitFor } from '../support/eventually.js';
import type { RedisBackend } from '../../lib/backends/redis/redis.backend.js';
import { hintsChannel } from '../../lib/backends/redis/queue-keys.js';
import type { ReservedItem } from '../../lib/contract/index.js';
import { startRedisCluster } from '../support/private-redis-cluster.js';
import { clientOf, idOf, newJob, openRedis, privateRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';
import { TcpProxy } from '../support/tcp-proxy.js';

/** Far beyond the pause, so that a wait which ends was ended. */
const LONG = { timeoutMs: 60_000, limit: 1, signal: new AbortController().signal };

/** Sweeps and waits, as an idle worker does, until something comes. */
async function next(backend: RedisBackend): Promise<ReservedItem> {
  for (;;) {
    const [item] = await backend.reserve(['mail'], 1);
    if (item !== undefined) return item;
    await backend.waitForWork(['mail'], LONG);
  }
}

/** How many listen for hints. */
async function listenersOn(client: Redis): Promise<number> {
  const channel = hintsChannel('kinetis_queue');
  return Number(((await client.pubsub('NUMSUB', channel)) as unknown[])[1]);
}

async function setUp() {
  const server = await privateRedis();
  const client = clientOf(server);
  const [pusher, worker] = [await openRedis({ url: server.url }), await openRedis({ url: server.url })];
  return { client, pusher, worker, listeners: () => listenersOn(client) };
}

describe.runIf(isTested('redis-cluster'))('an idle worker', () => {
  it('hears of a push of another process', async () => {
    const { pusher, worker, listeners } = await setUp();
    const coming = next(worker);
    await waitFor('the worker to listen', async () => (await listeners()) === 1);
    const job = newJob();
    await pusher.store([job]);
    expect(idOf(await coming)).toBe(job.id);
  });

  it('runs a delayed job when it is due, with nothing else pushed', async () => {
    const { pusher, worker, listeners } = await setUp();
    const coming = next(worker);
    await waitFor('the worker to listen', async () => (await listeners()) === 1);
    const job = newJob({ delaySeconds: 0.3 });
    await pusher.store([job]);
    expect(await worker.reserve(['mail'], 1)).toEqual([]);
    expect(idOf(await coming)).toBe(job.id);
  });

  it('goes on when the connection that hears was killed, and hears again', async () => {
    const { client, pusher, worker, listeners } = await setUp();
    const first = next(worker);
    await waitFor('the worker to listen', async () => (await listeners()) === 1);
    await client.call('client', 'KILL', 'TYPE', 'pubsub');
    const job = newJob();
    await pusher.store([job]);
    expect(idOf(await first)).toBe(job.id);
    const second = next(worker);
    await waitFor('the worker to listen again', async () => (await listeners()) === 1);
    const delayed = newJob({ delaySeconds: 0.2 });
    await pusher.store([delayed]);
    expect(idOf(await second)).toBe(delayed.id);
  });

  it.each(['request', 'answer'] as const)(
    'hears again when its new subscription was lost on its way too: the %s',
    async (part) => {
      const server = await privateRedis();
      const client = clientOf(server);
      const reader = () => (chunk: Buffer) => {
        const writes = /subscribe/i.test(chunk.toString('latin1'));
        return { writes, commits: writes };
      };
      const wire = await TcpProxy.open({ host: '127.0.0.1', port: server.port, reader });
      onTestFinished(() => wire.close());
      const worker = await openRedis({ url: `redis://127.0.0.1:${wire.port}` });
      const listens = async (): Promise<boolean> => (await listenersOn(client)) === 1;
      await worker.waitForWork(['mail'], { ...LONG, timeoutMs: 1 });
      await waitFor('the worker to listen', listens);
      const lost = wire.lose(part);
      wire.cut();
      await lost;
      await waitFor('the worker to listen again', listens);
      const coming = next(worker);
      const job = newJob();
      await (await openRedis({ url: server.url })).store([job]);
      expect(idOf(await coming)).toBe(job.id);
    },
  );

  it('asks for its subscription again now and then, for it may be lost unseen', async () => {
    const { client, worker } = await setUp();
    const subscriptions = async (): Promise<number> =>
      Number(/cmdstat_subscribe:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0);
    const wait = () => worker.waitForWork(['mail'], { ...LONG, timeoutMs: 1 });
    await wait();
    await waitFor('the worker to listen', async () => (await subscriptions()) === 1);
    await wait();
    const later = performance.now() + 10_000;
    vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => void vi.restoreAllMocks());
    await wait();
    await waitFor('another subscription', async () => (await subscriptions()) === 2);
  });

  it('hears few hints of one queue, however many jobs are pushed, and none of a job for later', async () => {
    const { client, pusher } = await setUp();
    const heard: string[] = [];
    const listener = client.duplicate();
    listener.on('message', (_channel, queue: string) => heard.push(queue));
    await listener.subscribe(hintsChannel('kinetis_queue'));
    await pusher.store([newJob({ queue: 'later', delaySeconds: 60 })]);
    for (let count = 0; count < 200; count += 1) await pusher.store([newJob()]);
    await pusher.store([newJob({ queue: 'last' })]);
    await waitFor('the last hint', () => heard.includes('last'));
    listener.disconnect();
    expect(heard).not.toContain('later');
    const ofMail = heard.filter((queue) => queue === 'mail').length;
    expect(ofMail).toBeGreaterThan(0);
    expect(ofMail).toBeLessThan(100);
  });

  it('of a cluster hears again when the connection that hears was killed', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.remove());
    await cluster.client.ping();
    const masters = cluster.client.nodes('master');
    const worker = await openRedis({ cluster: { nodes: cluster.nodes } });
    const coming = next(worker);
    const listening = async (): Promise<boolean> =>
      (await Promise.all(masters.map(listenersOn))).reduce((sum, count) => sum + count) === 1;
    await waitFor('the worker to listen', listening);
    for (const master of masters) await master.call('client', 'KILL', 'TYPE', 'pubsub');
    await waitFor('the worker to listen again', listening);
    const job = newJob();
    await (await openRedis({ cluster: { nodes: cluster.nodes } })).store([job]);
    expect(idOf(await coming)).toBe(job.id);
  });
});
