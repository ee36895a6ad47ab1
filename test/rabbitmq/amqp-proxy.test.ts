import { type ChannelModel, connect } from 'amqplib';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { namesIn } from '../support/amqp-frames.js';
import { AmqpProxy } from '../support/amqp-proxy.js';
import { deferred, waitFor } from '../support/eventually.js';
import { newVhost, type TestVhost } from '../support/rabbitmq-servers.js';
import { isTested } from '../support/servers.js';

describe.runIf(isTested('rabbitmq'))('the wire of the tests', () => {
  let vhost: TestVhost;
  let proxy: AmqpProxy;
  beforeAll(async () => {
    vhost = await newVhost();
  });
  afterAll(() => vhost.remove());
  beforeEach(async () => {
    proxy = await AmqpProxy.open(vhost.url);
    onTestFinished(() => proxy.close());
  });

  async function open(url: string): Promise<{ connection: ChannelModel; lost: Promise<void> }> {
    const connection = await connect(url);
    const { promise: lost, resolve } = deferred();
    connection.on('error', () => undefined);
    connection.once('close', () => resolve());
    onTestFinished(() => connection.close().catch(() => undefined));
    return { connection, lost };
  }

  it.each([
    ['request', 0],
    ['answer', 1],
  ] as const)('loses the %s of a publish: %i is stored', async (part, stored) => {
    const queue = `lose-${part}`;
    const { connection, lost } = await open(proxy.through(vhost.url));
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue(queue);
    const happened = proxy.lose(part);
    channel.sendToQueue(queue, Buffer.alloc(500_000));
    await expect(channel.waitForConfirms()).rejects.toThrow();
    await Promise.all([happened, lost]);
    const direct = await (await open(vhost.url.href)).connection.createChannel();
    expect((await direct.checkQueue(queue)).messageCount).toBe(stored);
  });

  it('ends connections so that what was unacknowledged is back when both ends have noticed', async () => {
    const { connection, lost } = await open(proxy.through(vhost.url));
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue('held');
    channel.sendToQueue('held', Buffer.from('held'));
    await channel.waitForConfirms();
    expect(await channel.get('held')).not.toBe(false);
    const direct = await (await open(vhost.url.href)).connection.createChannel();
    expect(await direct.get('held')).toBe(false);
    let noticed = false;
    void lost.then(() => (noticed = true));
    await proxy.disconnect();
    expect({ noticed, connections: proxy.connections }).toEqual({ noticed: true, connections: 0 });
    expect(await direct.get('held')).toMatchObject({ fields: { redelivered: true } });
  });

  it('holds what follows on a frame, either way, until it is released', async () => {
    const { connection } = await open(proxy.through(vhost.url));
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue('first');
    const held = proxy.script(
      { from: 'client', method: 'queue.declare', fate: 'pass' },
      {
        from: 'client',
        method: 'basic.publish',
        matches: (frame) => namesIn(frame)[1] === 'second',
        fate: 'hold',
      },
    );
    await channel.assertQueue('second');
    channel.sendToQueue('first', Buffer.from('passes'));
    channel.sendToQueue('second', Buffer.from('waits'));
    await held;
    const direct = await (await open(vhost.url.href)).connection.createChannel();
    await waitFor('the first', async () => (await direct.checkQueue('first')).messageCount === 1);
    expect((await direct.checkQueue('second')).messageCount).toBe(0);
    proxy.release();
    await channel.waitForConfirms();
    expect((await direct.checkQueue('second')).messageCount).toBe(1);
  });
});
