import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  deadHeaders,
  deadQueue,
  ladderQueues,
  levelOf,
  newHeaders,
  publishProperties,
  readDeath,
  readHeader,
  returnedHeaders,
  routeOf,
  type TopologyOptions,
  topologySettings,
  type TopologySettings,
  workQueueName,
  workTopology,
} from '../../../lib/backends/rabbitmq/topology/index.js';
import { DEFERRED_RANK, newHeader } from '../../../lib/contract/index.js';
import { waitFor } from '../../support/eventually.js';
import { declare } from '../../support/rabbitmq-declare.js';
import { newVhost, type TestVhost } from '../../support/rabbitmq-servers.js';
import { isTested } from '../../support/servers.js';

const id = '0123456789abcdef0123456789abcdef';

/** One queue of the broker, declared as settings say. */
class Bench {
  readonly settings: TopologySettings;
  readonly name: string;

  private constructor(
    readonly channel: ConfirmChannel,
    readonly queue: string,
    options: TopologyOptions,
  ) {
    this.settings = topologySettings({ queuePrefix: 'test-', ...options });
    this.name = workQueueName(this.settings.prefix, queue);
  }

  static async open(connection: ChannelModel, options: TopologyOptions): Promise<Bench> {
    const channel = await connection.createConfirmChannel();
    onTestFinished(() => channel.close());
    const bench = new Bench(channel, randomUUID().slice(0, 8), options);
    await declare(channel, workTopology(bench.settings, bench.queue));
    return bench;
  }

  async push(text: string, delaySeconds = 0, priority = 0, rank: number = priority): Promise<void> {
    const { exchange, routingKey, waits } = routeOf(this.settings, this.queue, delaySeconds);
    await declare(this.channel, waits);
    const header = newHeader({ leaseSeconds: null, priority, uniqueKey: null });
    const { mandatory, ...properties } = publishProperties({
      messageId: randomUUID(),
      headers: newHeaders({ id, header }),
      level: levelOf({ rank, priority }, this.settings.maxPriority),
    });
    this.channel.publish(exchange, routingKey, Buffer.from(text), { mandatory, ...properties });
    await this.channel.waitForConfirms();
  }

  async take(from: string = this.name): Promise<{ text: string; headers: unknown }> {
    const message = await waitFor(`a message on ${from}`, () => this.channel.get(from, { noAck: true }));
    return { text: message.content.toString(), headers: message.properties.headers };
  }
}

describe.runIf(isTested('rabbitmq'))('on a broker', () => {
  let vhost: TestVhost;
  let connection: ChannelModel;
  beforeAll(async () => {
    vhost = await newVhost();
    connection = await connect(vhost.url.href);
  });
  afterAll(async () => {
    await connection?.close();
    await vhost?.remove();
  });

  const kinds: readonly TopologyOptions[] = [
    {},
    { maxPriority: 0 },
    { maxPriority: 255, messageTtl: 4_294_967_295 },
    { delays: 'hold', holdGranularityMs: 2_147_483_647 },
    { queueType: 'quorum', messageTtl: 60_000 },
    { queueType: 'quorum', delays: 'hold' },
  ];

  it.each(kinds)('everything of %j is accepted, and accepted again', async (options) => {
    const bench = await Bench.open(connection, options);
    const { settings, queue } = bench;
    const longest = settings.delays === 'ladder' ? 7 : 2_147_483;
    const all = [
      ...workTopology(settings, queue),
      deadQueue(settings, queue),
      ...routeOf(settings, queue, longest).waits,
    ];
    await declare(bench.channel, all);
    await declare(bench.channel, all);
  });

  it('the whole ladder is accepted', async () => {
    const bench = await Bench.open(connection, {});
    await declare(bench.channel, routeOf(bench.settings, bench.queue, 4_194_303).waits);
    for (const name of ladderQueues(bench.name)) await bench.channel.checkQueue(name);
  });

  it.each<TopologyOptions>([
    { delays: 'ladder' },
    { delays: 'hold' },
    { delays: 'ladder', queueType: 'quorum' },
    { delays: 'hold', queueType: 'quorum' },
  ])('%j: a short delay is not held up by a long one, and none ends early', async (options) => {
    const bench = await Bench.open(connection, options);
    const start = Date.now();
    await bench.push('long', 3);
    const second = Date.now();
    await bench.push('short', 1);
    expect((await bench.take()).text).toBe('short');
    expect(Date.now() - second).toBeGreaterThanOrEqual(1_000);
    const { text, headers } = await bench.take();
    expect(text).toBe('long');
    expect(Date.now() - start).toBeGreaterThanOrEqual(3_000);
    expect(readHeader(headers, bench.settings.queueType)).toMatchObject({ attempts: 0, serial: 0 });
  });

  it('a job that is delayed a second time arrives a second time', async () => {
    const bench = await Bench.open(connection, {});
    await bench.push('again', 3);
    const { headers } = await bench.take();
    expect(headers).toHaveProperty('x-death');
    const { exchange, routingKey } = routeOf(bench.settings, bench.queue, 3);
    const returned = returnedHeaders(headers, 'classic', { attempts: 1 });
    bench.channel.publish(exchange, routingKey, Buffer.from('again'), { headers: returned });
    await bench.channel.waitForConfirms();
    const second = await bench.take();
    expect(readHeader(second.headers, 'classic')).toMatchObject({ attempts: 1, serial: 1 });
  });

  it('a queue that was deleted and declared again gets what was on its way', async () => {
    const bench = await Bench.open(connection, {});
    await bench.push('by the binding', 2);
    await bench.push('by the default exchange', 3);
    await bench.channel.deleteQueue(bench.name);
    await declare(bench.channel, workTopology(bench.settings, bench.queue));
    expect((await bench.take()).text).toBe('by the binding');
    expect((await bench.take()).text).toBe('by the default exchange');
  });

  it('deferred jobs come first, then the higher levels', async () => {
    const bench = await Bench.open(connection, {});
    await bench.push('low', 0, -100);
    await bench.push('high', 0, 100);
    await bench.push('usual');
    await bench.push('deferred', 0, -100, DEFERRED_RANK);
    const order = [];
    while (order.length < 4) order.push((await bench.take()).text);
    expect(order).toEqual(['deferred', 'high', 'usual', 'low']);
  });

  it.each(['ladder', 'hold'] as const)(
    '%s: a deferred job keeps its level while it waits',
    async (delays) => {
      const bench = await Bench.open(connection, { delays });
      await bench.push('high', 0, 100);
      await bench.push('deferred', 1, -100, DEFERRED_RANK);
      await waitFor('both jobs to be ready', async () => {
        const { messageCount } = await bench.channel.checkQueue(bench.name);
        return messageCount === 2;
      });
      expect((await bench.take()).text).toBe('deferred');
    },
  );

  it.each(['classic', 'quorum'] as const)(
    'a job that waits on a %s queue for longer than messageTtl is among the dead letters',
    async (queueType) => {
      const bench = await Bench.open(connection, { queueType, messageTtl: 50 });
      await bench.push('late');
      const { text, headers } = await bench.take(deadQueue(bench.settings, bench.queue).name);
      expect(text).toBe('late');
      expect(readDeath(headers, bench.name)).toMatchObject({ id, failure: { error: 'MessageExpired' } });
    },
  );

  it('the largest headers of a dead letter are taken', async () => {
    const bench = await Bench.open(connection, {});
    const dead = deadQueue(bench.settings, bench.queue);
    await declare(bench.channel, [dead]);
    const long = 'é'.repeat(100_000);
    const failure = { cause: 'fatal', error: long, message: long, stack: long } as const;
    const death = { queue: bench.queue, id, failure, failedAt: new Date() };
    const headers = deadHeaders({ carried: 'x'.repeat(16_000) }, 'classic', death);
    bench.channel.publish('', dead.name, Buffer.from('dead'), { headers });
    await bench.channel.waitForConfirms();
    const read = readDeath((await bench.take(dead.name)).headers, bench.name);
    expect(read).toMatchObject({ id, failure: { cause: 'fatal' }, failedAt: death.failedAt });
  });
});
