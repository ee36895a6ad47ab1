import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/eventually.js';
import type { RedisBackend } from '../../lib/backends/redis/redis.backend.js';
import { hintsChannel } from '../../lib/backends/redis/queue-keys.js';
import type { ReservedItem } from '../../lib/contract/index.js';
import { clientOf, idOf, newJob, openRedis, privateRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

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

async function setUp() {
  const server = await privateRedis();
  const client = clientOf(server);
  const [pusher, worker] = [await openRedis({ url: server.url }), await openRedis({ url: server.url })];
  const listeners = async (): Promise<number> => {
    const channel = hintsChannel('kinetis_queue');
    return Number(((await client.pubsub('NUMSUB', channel)) as unknown[])[1]);
  };
  return { client, pusher, worker, listeners };
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
});
