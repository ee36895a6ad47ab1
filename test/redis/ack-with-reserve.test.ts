import { describe, expect, it } from 'vitest';
import { queueKey } from '../../lib/backends/redis/queue-keys.js';
import { RedisReceipt } from '../../lib/backends/redis/redis-receipt.js';
import type { Scripts } from '../../lib/backends/redis/scripts.js';
import type { Receipt, SettleOutcome } from '../../lib/contract/index.js';
import { newJob, newPrefix, openRedis, scriptsRunBy } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

async function opened(count = 2) {
  const { prefix, client } = newPrefix();
  const backend = await openRedis({ prefix });
  await backend.store(Array.from({ length: count }, () => newJob()));
  const ack = async (receipt: Receipt | undefined): Promise<SettleOutcome | undefined> =>
    (await backend.settle([{ operation: 'ack', receipt, followUps: [] }]))[0];
  return { prefix, client, backend, ack };
}

describe.runIf(isTested('redis'))('an ack and the reserve that is sent in the same turn', () => {
  it('are one script', async () => {
    const { backend, ack } = await opened(3);
    const [one, two] = await backend.reserve(['mail'], 2);
    const ran = scriptsRunBy(backend);
    const acked = Promise.all([ack(one?.receipt), ack(two?.receipt)]);
    const next = await backend.reserve(['mail'], 2);
    expect(await acked).toEqual([{ status: 'applied' }, { status: 'applied' }]);
    expect(next).toHaveLength(1);
    expect(ran).toEqual(['reserve']);
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 1 });
  });

  it('are one script too where the reserve comes some promises later', async () => {
    const { backend, ack } = await opened();
    const [one] = await backend.reserve(['mail'], 1);
    const ran = scriptsRunBy(backend);
    const acked = ack(one?.receipt);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await backend.reserve(['mail'], 1);
    expect(await acked).toEqual({ status: 'applied' });
    expect(ran).toEqual(['reserve']);
  });

  it('are answered each for itself', async () => {
    const { backend, ack } = await opened();
    const [one] = await backend.reserve(['mail'], 1);
    expect(await ack(one?.receipt)).toEqual({ status: 'applied' });
    const acked = Promise.all([ack(one?.receipt), ack(new RedisReceipt('mail', 'none.1'))]);
    expect(await backend.reserve(['mail'], 1)).toHaveLength(1);
    expect(await acked).toEqual([{ status: 'stale' }, { status: 'stale' }]);
  });

  it('acknowledge on a queue that is paused, for good', async () => {
    const { backend, ack, client, prefix } = await opened();
    const [one] = await backend.reserve(['mail'], 1);
    await client.set(queueKey(prefix, 'mail', 'paused'), '1');
    const acked = ack(one?.receipt);
    expect(await backend.reserve(['mail'], 1)).toEqual([]);
    expect(await acked).toEqual({ status: 'applied' });
    expect(await backend.count('mail')).toMatchObject({ ready: 1, reserved: 0 });
  });

  it('acknowledge where nothing is left to reserve', async () => {
    const { backend, ack } = await opened(1);
    const [one] = await backend.reserve(['mail'], 1);
    const acked = ack(one?.receipt);
    expect(await backend.reserve(['mail'], 1)).toEqual([]);
    expect(await acked).toEqual({ status: 'applied' });
  });

  it('acknowledge although the reserve is refused', async () => {
    const { backend, ack, client, prefix } = await opened();
    const [one] = await backend.reserve(['mail'], 1);
    await client.set(queueKey(prefix, 'mail', 'delayed'), 'no sorted set');
    const acked = ack(one?.receipt);
    await expect(backend.reserve(['mail'], 1)).rejects.toThrow('WRONGTYPE');
    expect(await acked).toEqual({ status: 'applied' });
    expect(await client.hlen(queueKey(prefix, 'mail', 'running'))).toBe(0);
  });

  it('acknowledge although the reserve could not be made', async () => {
    const { backend, ack } = await opened();
    const [one] = await backend.reserve(['mail'], 1);
    const scripts = Reflect.get(backend, 'parts').scripts as Scripts;
    const run = scripts.run.bind(scripts);
    scripts.run = (name, ...rest) =>
      name === 'reserve' ? Promise.reject(new TypeError('a defect')) : run(name, ...rest);
    const acked = ack(one?.receipt);
    await expect(backend.reserve(['mail'], 1)).rejects.toThrow('a defect');
    expect(await acked).toEqual({ status: 'applied' });
  });

  it('are two where something is to be freed, and the settlement is the first', async () => {
    const { backend, ack } = await opened(0);
    await backend.store([newJob({ uniqueKey: 'a'.repeat(64) })]);
    const [one] = await backend.reserve(['mail'], 1);
    const ran = scriptsRunBy(backend);
    const acked = ack(one?.receipt);
    await backend.reserve(['mail'], 1);
    expect(await acked).toEqual({ status: 'applied' });
    expect(ran).toEqual(['settle', 'reserve']);
  });

  it('do not take a release along, which would come back a look later', async () => {
    const { backend } = await opened(1);
    const [one] = await backend.reserve(['mail'], 1);
    const ran = scriptsRunBy(backend);
    const released = backend.settle([
      { operation: 'release', receipt: one?.receipt, changes: {}, delaySeconds: 0 },
    ]);
    expect(await backend.reserve(['mail'], 1)).toHaveLength(1);
    expect(await released).toEqual([{ status: 'applied' }]);
    expect(ran).toEqual(['settle', 'reserve']);
  });
});
