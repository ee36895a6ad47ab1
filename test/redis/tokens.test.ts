import { describe, expect, it } from 'vitest';
import { queueKey } from '../../lib/backends/redis/queue-keys.js';
import { RedisReceipt } from '../../lib/backends/redis/redis-receipt.js';
import { redisSettings } from '../../lib/backends/redis/redis.options.js';
import { Scripts } from '../../lib/backends/redis/scripts.js';
import { Wire } from '../../lib/backends/redis/wire.js';
import type { Receipt, ReservedItem, Settlement } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { newJob, newPrefix, openRedis } from '../support/redis-queue.js';
import { keysOf, redisTestUrl } from '../support/redis-servers.js';
import { isTested } from '../support/servers.js';

const failure = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;
const none = { changes: {}, delaySeconds: 0 };

function everySettlement(receipt: Receipt): readonly Settlement[] {
  return [
    { operation: 'ack', receipt, followUps: [] },
    { operation: 'ack', receipt, followUps: [newJob()] },
    { operation: 'release', receipt, ...none },
    { operation: 'fail', receipt, failure },
    { operation: 'extend', receipt, seconds: 60 },
  ];
}

function tokenOf(item: ReservedItem | undefined): string {
  return item?.receipt instanceof RedisReceipt ? item.receipt.token : '';
}

describe.runIf(isTested('redis'))('the token of a delivery', () => {
  it.each([
    ['a job with nothing beside it', {}],
    ['a job with a unique key', { uniqueKey: 'a'.repeat(64) }],
    ['a job with a large body', { args: { text: 'x'.repeat(5_000) } }],
  ])('that was made up settles nothing of %s', async (_, shape) => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix });
    const job = newJob(shape);
    await backend.store([job]);
    const [item] = await backend.reserve(['mail'], 1);
    const token = tokenOf(item);
    const before = await client.zrange(queueKey(prefix, 'mail', 'leased'), '0', '-1', 'WITHSCORES');
    const forged = ['', 'h', `${token}h`, token.replace(/h$/, ''), token.replace(/\d+h?$/, '2')].filter(
      (text) => text !== token,
    );
    for (const text of forged) {
      for (const settlement of everySettlement(new RedisReceipt('mail', text))) {
        expect((await backend.settle([settlement]))[0]?.status, `of ${settlement.operation}`).toBe('stale');
      }
    }
    expect(await client.zrange(queueKey(prefix, 'mail', 'leased'), '0', '-1', 'WITHSCORES')).toEqual(before);
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 1, failed: 0 });
    expect((await backend.findJob('mail', job.id))?.body).toBe(job.body);
    const ack = { operation: 'ack', receipt: item?.receipt, followUps: [] } as const;
    expect((await backend.settle([ack, ack])).map(({ status }) => status)).toEqual(['applied', 'stale']);
    expect(await keysOf(client, `${prefix}:{mail}`)).toEqual([]);
  });

  it('of a job that came back settles nothing, though another delivery of it is current', async () => {
    const { prefix } = newPrefix();
    const backend = await openRedis({ prefix, leaseSeconds: 0.05 });
    await backend.store([newJob()]);
    const [lost] = await backend.reserve(['mail'], 1);
    const patient = await openRedis({ prefix });
    const again = await waitFor('the lost lease', async () => (await patient.reserve(['mail'], 1))[0]);
    expect(tokenOf(again)).not.toBe(tokenOf(lost));
    for (const settlement of everySettlement(lost?.receipt)) {
      expect((await backend.settle([settlement]))[0]?.status, `of ${settlement.operation}`).toBe('stale');
    }
    const ack = { operation: 'ack', receipt: again.receipt, followUps: [] } as const;
    expect((await backend.settle([ack]))[0]?.status).toBe('applied');
  });

  it('is never handed out while another delivery has it', async () => {
    const { prefix } = newPrefix();
    const backend = await openRedis({ prefix });
    const wire = new Wire(redisSettings({ url: redisTestUrl().href, prefix }));
    const scripts = new Scripts(wire, prefix);
    const reserve = async (): Promise<string[]> => {
      const [, ...found] = (await scripts.run('reserve', 'mail', [3, 60_000, 'token'])) as Buffer[];
      return found.filter((_, index) => index % 3 === 0).map(String);
    };
    const jobs = [newJob(), newJob(), newJob({ priority: 1 })];
    await backend.store(jobs);
    expect(new Set(await reserve()).size).toBe(3);
    await backend.store([newJob(), newJob({ priority: 1 })]);
    expect(await reserve()).toEqual([]);
    expect(await backend.count('mail')).toMatchObject({ ready: 2, reserved: 3 });
    await wire.close();
  });

  it('is all that an ack sends', async () => {
    const backend = await openRedis({ prefix: newPrefix().prefix });
    await backend.store([newJob(), newJob()]);
    const items = await backend.reserve(['mail'], 2);
    const scripts = Reflect.get(backend, 'parts').scripts as Scripts;
    const run = scripts.run.bind(scripts);
    const sent: unknown[] = [];
    scripts.run = (name, queue, args) => {
      sent.push([name, ...(args ?? [])]);
      return run(name, queue, args);
    };
    await backend.settle(items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] })));
    expect(sent).toEqual([['ack', ...items.map(tokenOf)]]);
    expect(items.map((item) => tokenOf(item).length)).toEqual([18, 18]);
  });

  it('leaves with its delivery, however that ends', async () => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix });
    const ended = everySettlement(null).filter(({ operation }) => operation !== 'extend');
    for (const index of ended.keys()) {
      await backend.store([newJob({ priority: 1 })]);
      const [item] = await backend.reserve(['mail'], 1);
      await backend.settle([everySettlement(item?.receipt)[index] as Settlement]);
      expect(await client.exists(queueKey(prefix, 'mail', 'leased'))).toBe(0);
      expect(await client.exists(queueKey(prefix, 'mail', 'running'))).toBe(0);
    }
  });
});

describe.runIf(isTested('redis'))('what is no readable job', () => {
  const foreign: readonly [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['a stranger', Buffer.from('a stranger')],
    ['half a head', Buffer.from('q1|1|0|0')],
    ['a head without its last bar', Buffer.from(`q1${'|1'.repeat(13)}`)],
    ['what looks like a token', Buffer.from('ab12.1|q1|x')],
    ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ];

  it.each(foreign)('is carried byte for byte, whatever becomes of it: %s', async (_, bytes) => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix, leaseSeconds: 0.05 });
    await client.lpush(queueKey(prefix, 'mail', 'pending'), bytes);
    const take = async (): Promise<ReservedItem> => {
      const item = await waitFor('the item', async () => (await backend.reserve(['mail'], 1))[0]);
      expect(Buffer.from(item.body)).toEqual(bytes);
      expect(item.header).toBeNull();
      return item;
    };
    const settle = async (settlement: Settlement): Promise<void> => {
      expect(await backend.settle([settlement])).toEqual([{ status: 'applied' }]);
    };
    await take();
    // The lease ends by itself.
    await settle({ operation: 'release', receipt: (await take()).receipt, ...none });
    await settle({ operation: 'release', receipt: (await take()).receipt, changes: {}, delaySeconds: 0.01 });
    await settle({ operation: 'extend', receipt: (await take()).receipt, seconds: 0.02 });
    await settle({ operation: 'fail', receipt: (await take()).receipt, failure });
    expect(await backend.retryAllFailed()).toEqual({ retried: 1, duplicates: 0 });
    await settle({ operation: 'ack', receipt: (await take()).receipt, followUps: [] });
    expect(await keysOf(client, `${prefix}:{mail}`)).toEqual([]);
  });
});
