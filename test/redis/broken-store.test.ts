import { describe, expect, it } from 'vitest';
import { queueKey, type QueueKey } from '../../lib/backends/redis/queue-keys.js';
import { ServerRefused, type Settlement } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { clientOf, idOf, newJob, newPrefix, openRedis, privateRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

/** What each transition writes to, and so what may stand in its way. */
const inTheWay: readonly QueueKey[] = [
  'pending',
  'delayed',
  'leased',
  'running',
  'prioritized',
  'place',
  'bodies',
];

describe.runIf(isTested('redis'))('a key of the wrong type', () => {
  it.each(inTheWay)(
    '%s: nothing moves while it is there, and everything goes on when it is mended',
    async (key) => {
      const { prefix, client } = newPrefix();
      const backend = await openRedis({ prefix });
      const broken = queueKey(prefix, 'mail', key);
      const aside = queueKey(prefix, 'mail', 'aside' as QueueKey);
      const jobs = [newJob(), newJob({ priority: 5 }), newJob({ args: { text: 'x'.repeat(5_000) } })];
      await backend.store(jobs);
      const isThere = (await client.exists(broken)) === 1;
      if (isThere) await client.rename(broken, aside);
      // A set is what none of them is.
      await client.sadd(broken, 'a stranger');
      await expect(backend.reserve(['mail'], 10)).rejects.toBeInstanceOf(ServerRefused);
      const [outcome] = await backend.store([newJob()]);
      const isOfStore = key !== 'leased' && key !== 'running';
      expect(outcome?.status).toBe(isOfStore ? 'refused' : 'applied');
      await client.del(broken);
      if (isThere) await client.rename(aside, broken);
      const items = await backend.reserve(['mail'], 10);
      expect(items).toHaveLength(isOfStore ? 3 : 4);
      expect(items.map(idOf)).toEqual(expect.arrayContaining(jobs.map(({ id }) => id)));
    },
  );

  it.each(['failed', 'failed-index', 'unique', 'delayed'] as const)(
    '%s: a settlement is refused, its delivery stays current and can be settled when it is mended',
    async (key) => {
      const { prefix, client } = newPrefix();
      const backend = await openRedis({ prefix });
      await backend.store([newJob()]);
      const [item] = await backend.reserve(['mail'], 1);
      const broken = queueKey(prefix, 'mail', key);
      await client.sadd(broken, 'a stranger');
      const failure = { cause: 'fatal', error: 'Error', message: 'no', stack: null } as const;
      const settlement = { operation: 'fail', receipt: item?.receipt, failure } as const;
      expect((await backend.settle([settlement]))[0]?.status).toBe('refused');
      await client.del(broken);
      expect((await backend.settle([settlement]))[0]?.status).toBe('applied');
      expect((await backend.count('mail')).failed).toBe(1);
    },
  );

  it.each(['leased', 'running'] as const)(
    '%s: an ack is refused, and its delivery can be settled when it is mended',
    async (key) => {
      const { prefix, client } = newPrefix();
      const backend = await openRedis({ prefix });
      await backend.store([newJob()]);
      const [item] = await backend.reserve(['mail'], 1);
      const broken = queueKey(prefix, 'mail', key);
      const aside = queueKey(prefix, 'mail', 'aside' as QueueKey);
      await client.rename(broken, aside);
      await client.sadd(broken, 'a stranger');
      const ack = { operation: 'ack', receipt: item?.receipt, followUps: [] } as const;
      expect((await backend.settle([ack]))[0]?.status).toBe('refused');
      await client.rename(aside, broken);
      expect((await backend.settle([ack]))[0]?.status).toBe('applied');
    },
  );

  it('is named in the error, with what to do', async () => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix });
    await client.set(queueKey(prefix, 'mail', 'pending'), 'a stranger');
    await expect(backend.reserve(['mail'], 1)).rejects.toThrow(/WRONGTYPE.*prefix of its own/);
  });
});

describe.runIf(isTested('redis-cluster'))('a server at its memory limit', () => {
  it('refuses pushes, loses no job, and delivers each when there is room again', async () => {
    const server = await privateRedis();
    const client = clientOf(server);
    const backend = await openRedis({ url: server.url, leaseSeconds: 0.05 });
    const job = newJob();
    await backend.store([job]);
    await client.config('SET', 'maxmemory', '1');
    const [outcome] = await backend.store([newJob()]);
    expect(outcome?.status).toBe('refused');
    expect(String(outcome !== undefined && 'error' in outcome && outcome.error.message)).toMatch(
      /OOM.*make room/,
    );
    await expect(backend.reserve(['mail'], 1)).rejects.toBeInstanceOf(ServerRefused);
    await client.config('SET', 'maxmemory', '0');
    const [item] = await backend.reserve(['mail'], 1);
    expect(item === undefined ? null : idOf(item)).toBe(job.id);
    await waitFor('the end of the lease', async () => (await backend.count('mail')).ready === 1);
    await client.config('SET', 'maxmemory', '1');
    await expect(backend.reserve(['mail'], 1)).rejects.toBeInstanceOf(ServerRefused);
    await client.config('SET', 'maxmemory', '0');
    const again = await waitFor('the lost lease', async () => (await backend.reserve(['mail'], 1))[0]);
    expect([idOf(again), again.header?.attempts]).toEqual([job.id, 1]);
  });

  it('takes acknowledgements; what needs room is refused and its delivery stays current', async () => {
    const server = await privateRedis();
    const client = clientOf(server);
    const backend = await openRedis({ url: server.url });
    await backend.store([newJob(), newJob(), newJob(), newJob()]);
    const [first, second, third, fourth] = await backend.reserve(['mail'], 4);
    const failure = { cause: 'fatal', error: 'Error', message: 'no', stack: null } as const;
    const growing: readonly Settlement[] = [
      { operation: 'release', receipt: second?.receipt, changes: {}, delaySeconds: 0 },
      { operation: 'fail', receipt: third?.receipt, failure },
      { operation: 'extend', receipt: fourth?.receipt, seconds: 5 },
    ];
    const settleEach = async (): Promise<string[]> => {
      const outcomes = await Promise.all(growing.map((settlement) => backend.settle([settlement])));
      return outcomes.flat().map(({ status }) => status);
    };
    await client.config('SET', 'maxmemory', '1');
    expect(await settleEach()).toEqual(['refused', 'refused', 'refused']);
    const ack = { operation: 'ack', receipt: first?.receipt, followUps: [] } as const;
    expect((await backend.settle([ack]))[0]?.status).toBe('applied');
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 3, failed: 0 });
    await client.config('SET', 'maxmemory', '0');
    expect(await settleEach()).toEqual(['applied', 'applied', 'applied']);
    expect(await backend.count('mail')).toMatchObject({ ready: 1, reserved: 1, failed: 1 });
  });
});
