import { type Channel, type ChannelModel, connect } from 'amqplib';
import { onTestFinished } from 'vitest';
import type { RabbitMqBackend } from '../../lib/backends/rabbitmq/rabbitmq.backend.js';
import type { ReservedItem, SettleOutcome, Settlement } from '../../lib/contract/index.js';
import { rabbitmq, type RabbitMqOptions } from '../../lib/rabbitmq.js';
import { AmqpProxy } from './amqp-proxy.js';
import { bareContext } from './bare-context.js';
import { waitFor } from './eventually.js';
import { idOf } from './new-job.js';

/** Calls back when a test has ended. Tests that run at the same time each give their own. */
export type WhenFinished = (close: () => Promise<void>) => void;

/** A backend of its own, as another process would have it; closed when the test ends. */
export async function openRabbitMq(
  url: URL | string | readonly string[],
  options: RabbitMqOptions = {},
  whenFinished: WhenFinished = onTestFinished,
): Promise<RabbitMqBackend> {
  const backend = (await rabbitmq({ url: url instanceof URL ? url.href : url, ...options })(
    bareContext(),
  )) as RabbitMqBackend;
  whenFinished(() => backend.close());
  return backend;
}

/** A wire to a server, gone when the test ends. */
export async function openWire(server: URL, whenFinished: WhenFinished = onTestFinished): Promise<AmqpProxy> {
  const wire = await AmqpProxy.open(server);
  whenFinished(() => wire.close());
  return wire;
}

/** A connection of the client library alone, for a test that looks past the queue. */
export async function plainConnection(url: URL): Promise<ChannelModel> {
  const connection = await connect(url.href);
  connection.on('error', () => undefined);
  onTestFinished(() => connection.close().catch(() => undefined));
  return connection;
}

/** A channel of such a connection. */
export async function plainChannel(url: URL): Promise<Channel> {
  return (await plainConnection(url)).createChannel();
}

/** How many consumers a queue has, 0 where it is not there: by a channel of its own, which that would close. */
export async function consumersOf(connection: ChannelModel, queue: string): Promise<number> {
  const channel = await connection.createChannel();
  channel.on('error', () => undefined);
  try {
    const { consumerCount } = await channel.checkQueue(queue);
    await channel.close();
    return consumerCount;
  } catch {
    return 0;
  }
}

/** Acknowledges what is ready now, and answers how often each id came. */
export async function drain(backend: RabbitMqBackend, queue: string): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (;;) {
    const items = await backend.reserve([queue], 100);
    if (items.length === 0) return times;
    for (const item of items) times.set(idOf(item), (times.get(idOf(item)) ?? 0) + 1);
    await backend.settle(items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] })));
  }
}

/** Acknowledges what comes until there were so many, and what is ready then; answers how often each id came. */
export async function drainAll(
  backend: RabbitMqBackend,
  queue: string,
  count: number,
): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  let came = 0;
  const look = async (): Promise<boolean> => {
    for (const [id, more] of await drain(backend, queue)) {
      times.set(id, (times.get(id) ?? 0) + more);
      came += more;
    }
    return came >= count;
  };
  await waitFor(`${count} items of ${queue}`, look);
  await look();
  return times;
}

/** Settles one delivery. */
export async function settleOne(backend: RabbitMqBackend, settlement: Settlement): Promise<SettleOutcome> {
  const [outcome] = await backend.settle([settlement]);
  if (outcome === undefined) throw new Error('Expected an outcome of the settlement, came none.');
  return outcome;
}

/** The next item, as soon as there is one. */
export function nextItem(backend: RabbitMqBackend, queue: string): Promise<ReservedItem> {
  return waitFor(`an item of ${queue}`, async () => (await backend.reserve([queue], 1))[0]);
}
