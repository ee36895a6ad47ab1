import { describe, expect, it } from 'vitest';
import { queueKey } from '../../lib/backends/redis/queue-keys.js';
import type { ReservedItem, Settlement } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { newJob, newPrefix, openRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

const payloads = {
  'empty arrays and objects': '{"a":[],"b":{},"c":[[],{},[{}]],"d":""}',
  'numbers of 17 digits': '{"a":12345678901234567,"b":0.12345678901234567,"c":[-98765432109876543]}',
  'bars and line feeds': '{"a":"q1|2|3|4\\n||","b":"|"}',
  'characters of every length': '{"a":"aé€\u{1f600}\\u0000"}',
  'a body just within a member': `{"a":"${'x'.repeat(2_039)}"}`,
  'a body just beyond a member': `{"a":"${'x'.repeat(2_042)}"}`,
  '200 KB': `{"a":"${'é|'.repeat(70_000)}"}`,
};

const none = { changes: {}, delaySeconds: 0 };

describe.runIf(isTested('redis'))('a body', () => {
  it.each(Object.entries(payloads))(
    'of %s comes back byte for byte, whatever becomes of the job',
    async (_, body) => {
      const { prefix, client } = newPrefix();
      const backend = await openRedis({ prefix, leaseSeconds: 0.1 });
      const job = { ...newJob({ priority: 3 }), body };
      await backend.store([job]);
      const take = async (): Promise<ReservedItem> => {
        const item = await waitFor('the job', async () => (await backend.reserve(['mail'], 1))[0]);
        expect(item.body === body, 'the body is the one that was pushed').toBe(true);
        return item;
      };
      const settle = async (settlement: Settlement): Promise<void> => {
        expect(await backend.settle([settlement])).toEqual([{ status: 'applied' }]);
      };
      await take();
      // The lease ends by itself.
      await settle({ operation: 'release', receipt: (await take()).receipt, ...none });
      await settle({
        operation: 'defer',
        receipt: (await take()).receipt,
        changes: { rank: 1_000 },
        delaySeconds: 0,
      });
      await settle({
        operation: 'release',
        receipt: (await take()).receipt,
        changes: {},
        delaySeconds: 0.01,
      });
      const failure = { cause: 'fatal', error: 'Error', message: 'é|', stack: null } as const;
      await settle({ operation: 'fail', receipt: (await take()).receipt, failure });
      const failed = await backend.findFailed(job.id);
      expect([failed?.body === body, failed?.failure]).toEqual([true, failure]);
      expect(await backend.retryFailed(job.id)).toBe('retried');
      await settle({ operation: 'ack', receipt: (await take()).receipt, followUps: [] });
      expect(await client.exists(queueKey(prefix, 'mail', 'bodies')), 'no body is left behind').toBe(0);
    },
  );

  it('leaves with its job by clear, remove, forget, flush and retention', async () => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix, failedJobs: { maxCount: 1 } });
    const large = () => newJob({ args: { text: 'x'.repeat(5_000) } });
    const bodies = (): Promise<number> => client.hlen(queueKey(prefix, 'mail', 'bodies'));
    const failOne = async (): Promise<string> => {
      const job = large();
      await backend.store([job]);
      const [item] = await backend.reserve(['mail'], 1);
      const failure = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;
      await backend.settle([{ operation: 'fail', receipt: item?.receipt, failure }]);
      return job.id;
    };
    const [removed, cleared] = [large(), large()];
    await backend.store([removed, cleared]);
    expect(await bodies()).toBe(2);
    await backend.removeJob('mail', removed.id);
    expect(await bodies()).toBe(1);
    await backend.clear('mail');
    expect(await bodies()).toBe(0);
    const first = await failOne();
    const second = await failOne();
    expect([await bodies(), await backend.findFailed(first)]).toEqual([1, null]);
    await backend.forgetFailed(second);
    expect(await bodies()).toBe(0);
    await failOne();
    await backend.flushFailed();
    expect(await bodies()).toBe(0);
  });

  it('of a chain’s step that was stored twice stays for the second one when the first has ended', async () => {
    const { prefix } = newPrefix();
    const backend = await openRedis({ prefix });
    const job = newJob({ args: { text: 'x'.repeat(5_000) } });
    await backend.store([job]);
    await backend.store([job]);
    const [first, second] = await backend.reserve(['mail'], 2);
    await backend.settle([{ operation: 'ack', receipt: first?.receipt, followUps: [] }]);
    await backend.settle([{ operation: 'release', receipt: second?.receipt, ...none }]);
    expect((await backend.reserve(['mail'], 1))[0]?.body).toBe(job.body);
  });
});
