import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import type { RedisBackend } from '../../lib/backends/redis/redis.backend.js';
import { queueKey } from '../../lib/backends/redis/queue-keys.js';
import type { ReservedItem, Settlement } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { clientOf, idOf, newJob, newPrefix, openRedis, privateRedis } from '../support/redis-queue.js';
import { documentedRights } from '../support/redis-rights.js';
import { keysOf } from '../support/redis-servers.js';
import { isTested } from '../support/servers.js';

const LEASE_SECONDS = 0.05;
const failure = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;

/** Commands that write, each of which may be the one at which a script ends. */
const WRITING = ['hset', 'hdel', 'zadd', 'zrem', 'lpush', 'rpush', 'rpop'] as const;

type SettlementOf = (receipt: ReservedItem['receipt']) => Settlement;

const settlements: readonly [string, SettlementOf][] = [
  ['an ack', (receipt) => ({ operation: 'ack', receipt, followUps: [] })],
  ['an ack with a follow-up', (receipt) => ({ operation: 'ack', receipt, followUps: [newJob()] })],
  ['a release', (receipt) => ({ operation: 'release', receipt, changes: {}, delaySeconds: 0 })],
  ['a delayed release', (receipt) => ({ operation: 'release', receipt, changes: {}, delaySeconds: 0.01 })],
  ['a fail', (receipt) => ({ operation: 'fail', receipt, failure })],
  ['an extension', (receipt) => ({ operation: 'extend', receipt, seconds: 0.1 })],
];

/** A backend with all rights, and one whose scripts end midway, at the one command that its user lacks. */
async function openBoth(lacking: string) {
  const server = await privateRedis();
  const client = clientOf(server);
  await client.acl('SETUSER', 'queue', ...documentedRights().rules, `-${lacking}`);
  const url = server.url.replace('//', '//queue:hunter2@');
  const whole = await openRedis({ url: server.url, leaseSeconds: LEASE_SECONDS });
  return { client, whole, lame: await openRedis({ url, leaseSeconds: LEASE_SECONDS }) };
}

/** Runs what is there to its end, failed jobs too; answers the ids of all that came. */
async function drained(backend: RedisBackend): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  await waitFor('every job to be done', async () => {
    await backend.retryAllFailed();
    const items = await backend.reserve(['mail'], 100);
    for (const item of items) ids.add(idOf(item));
    await backend.settle(items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] })));
    const { ready, delayed, reserved } = await backend.count('mail');
    return ready + (delayed ?? 0) + (reserved ?? 0) === 0;
  });
  return ids;
}

/** Keys of the queue, but for those that may stay: the counter of places, and a failed job that is found by its id only. */
async function leftOf(client: Redis): Promise<string[]> {
  return (await keysOf(client, 'kinetis_queue:{mail}')).filter((key) => !/:(place|failed)$/.test(key));
}

describe.runIf(isTested('redis-cluster')).each(WRITING)('a script that ends midway, at %s', (lacking) => {
  it('loses no job that it was to lease or to bring back, and leaves nothing behind for ever', async () => {
    const { client, whole, lame } = await openBoth(lacking);
    const sweep = (): Promise<unknown> => lame.reserve(['mail'], 1).catch(() => undefined);
    // Of the two places that jobs are leased from, one at a time.
    for (const priority of [0, 1]) {
      const jobs = [0, 0.01, 0].map((delaySeconds) => newJob({ priority, delaySeconds }));
      await whole.store(jobs);
      await sweep();
      await whole.reserve(['mail'], 2);
      await waitFor('the ends of the leases', async () => (await whole.count('mail')).reserved === 0);
      await sweep();
      await sweep();
      expect([...(await drained(whole))].sort()).toEqual(jobs.map(({ id }) => id).sort());
    }
    expect(await leftOf(client)).toEqual([]);
  });

  it.each(settlements)(
    'is %s: the job comes again or was done, and nothing stays for ever',
    async (_, settlementOf) => {
      const { client, whole, lame } = await openBoth(lacking);
      const job = newJob();
      await whole.store([job]);
      const [item] = await whole.reserve(['mail'], 1);
      const settlement = settlementOf(item?.receipt);
      const [outcome] = await lame.settle([settlement]).catch(() => []);
      const came = await drained(whole);
      if (settlement.operation !== 'ack') expect(came).toContain(job.id);
      else if (outcome?.status === 'applied') expect(came).not.toContain(job.id);
      expect(await leftOf(client)).toEqual([]);
    },
  );
});

describe.runIf(isTested('redis'))('a token without a job', () => {
  it('is passed over where jobs are looked at, and removed by the sweep after its lease', async () => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix });
    const leased = queueKey(prefix, 'mail', 'leased');
    const [first, second] = [newJob(), newJob()];
    await client.zadd(leased, Date.now() + 60_000, 'gone.1');
    await backend.store([first, second]);
    await backend.reserve(['mail'], 2);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await backend.listJobs({
        queue: 'mail',
        state: 'reserved',
        limit: 1,
        ...(cursor && { cursor }),
      });
      seen.push(...page.jobs.map(({ id }) => id));
      ({ cursor } = page);
    }
    expect(seen.sort()).toEqual([first.id, second.id].sort());
    expect((await backend.findJob('mail', second.id))?.state).toBe('reserved');
    expect(await backend.findJob('mail', 'gone.1')).toBeNull();
    await client.zadd(leased, 1, 'gone.1');
    await expect(backend.reserve(['mail'], 1)).resolves.toEqual([]);
    expect(await client.zscore(leased, 'gone.1')).toBeNull();
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 2 });
  });
});

describe.runIf(isTested('redis'))('a job in running whose token is gone', () => {
  it('is still its holder’s to settle', async () => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix });
    await backend.store([newJob(), newJob()]);
    const [first, second] = await backend.reserve(['mail'], 2);
    await client.del(queueKey(prefix, 'mail', 'leased'));
    const outcomes = await backend.settle([
      { operation: 'ack', receipt: first?.receipt, followUps: [] },
      { operation: 'extend', receipt: second?.receipt, seconds: 60 },
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 1 });
  });

  it('is leased anew by a sweep, and comes back when that lease ends', async () => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix, leaseSeconds: LEASE_SECONDS });
    const job = newJob({ uniqueKey: 'a'.repeat(64) });
    await backend.store([job]);
    await backend.reserve(['mail'], 1);
    await client.del(queueKey(prefix, 'mail', 'leased'));
    expect(await backend.queues()).toEqual(['mail']);
    const again = await waitFor('the job', async () => (await backend.reserve(['mail'], 1))[0]);
    expect([idOf(again), again.header?.attempts]).toEqual([job.id, 1]);
    await backend.settle([{ operation: 'ack', receipt: again.receipt, followUps: [] }]);
    expect(await keysOf(client, `${prefix}:{mail}`)).toEqual([]);
  });
});
