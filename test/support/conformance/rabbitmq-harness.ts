import { randomBytes } from 'node:crypto';
import { type ChannelModel, connect } from 'amqplib';
import { rabbitMqCapabilities } from '../../../lib/backends/rabbitmq/rabbitmq.capabilities.js';
import {
  levelOf,
  type QueueType,
  topologySettings,
  type TopologyOptions,
  workQueueName,
  workTopology,
} from '../../../lib/backends/rabbitmq/topology/index.js';
import type { QueueBackend } from '../../../lib/contract/index.js';
import { rabbitmq } from '../../../lib/rabbitmq.js';
import {
  type ConformanceHarness,
  malformedKinds,
  type OpenedStore,
  type RawItem,
  testBackendContext,
} from '../../../lib/testing.js';
import { AmqpProxy } from '../amqp-proxy.js';
import { declare } from '../rabbitmq-declare.js';
import { newVhost } from '../rabbitmq-servers.js';

export interface RabbitMqHarnesses {
  readonly ladder: ConformanceHarness;
  readonly hold: ConformanceHarness;
  /** Removes the virtual host that they share. */
  close(): Promise<void>;
}

/**
 * A message always has headers, and one that is not there means that the job was never delivered. Rank and unique key
 * are no headers.
 */
const CANNOT_HOLD = malformedKinds
  .map(({ kind }) => kind)
  .filter((kind) => /^header(: |\.uniqueKey: |\..*: missing$)/.test(kind));

/** The rabbitmq backend in a virtual host of the tests' server, with either way to wait. */
export async function openRabbitMqHarnesses(queueType: QueueType): Promise<RabbitMqHarnesses> {
  const vhost = await newVhost();
  const foreign = await connect(vhost.url.href);
  return {
    ladder: harnessOn(vhost.url, foreign, { queueType, delays: 'ladder' }),
    hold: harnessOn(vhost.url, foreign, { queueType, delays: 'hold' }),
    async close() {
      await foreign.close();
      await vhost.remove();
    },
  };
}

function harnessOn(url: URL, foreign: ChannelModel, topology: TopologyOptions): ConformanceHarness {
  return {
    name: `rabbitmq, ${topology.queueType} queues and ${topology.delays}`,
    capabilities: rabbitMqCapabilities({ topology: topologySettings(topology), failedJobs: true }),
    facilities: ['storeRaw', 'second', 'disconnect', 'silence'],
    cannotHold: CANNOT_HOLD,
    // Delays are half of it, and a case has to look before they end; the cases run at the same time.
    realLeaseSeconds: 6,
    open: () => openStore(url, foreign, topology),
  };
}

async function openStore(url: URL, foreign: ChannelModel, topology: TopologyOptions): Promise<OpenedStore> {
  // Names like "select" are several cases'; each has them to itself.
  const options = { ...topology, queuePrefix: `test-${randomBytes(4).toString('hex')}-` };
  const wire = await AmqpProxy.open(url);
  const newBackend = async (by: string): Promise<QueueBackend> =>
    rabbitmq({ ...options, url: by })(testBackendContext());
  const backend = await newBackend(wire.through(url));
  const opened = [backend];
  return {
    backend,
    storeRaw: (item) => pushRaw(foreign, options, item),
    disconnect: () => wire.disconnect(),
    async silence(part) {
      void wire.lose(part);
    },
    async second() {
      const another = await newBackend(url.href);
      opened.push(another);
      return another;
    },
    async close() {
      for (const each of opened) await each.close();
      await wire.close();
      await deleteQueues(foreign, wire.declared);
    },
  };
}

/** Hundreds of cases would use up the handles that a broker has for its files. */
async function deleteQueues(connection: ChannelModel, queues: readonly string[]): Promise<void> {
  const channel = await connection.createChannel();
  for (const queue of queues) await channel.deleteQueue(queue);
  await channel.close();
}

/** Publishes what no push would, as a foreign writer that knows how a queue is declared. */
async function pushRaw(
  connection: ChannelModel,
  options: TopologyOptions,
  { queue, header, body }: RawItem,
): Promise<void> {
  const settings = topologySettings(options);
  const channel = await connection.createConfirmChannel();
  await declare(channel, workTopology(settings, queue));
  // A header that nothing stands in is left out where a push leaves it out, and a void where it is one of the damage.
  const { rank: _rank, uniqueKey: _uniqueKey, leaseSeconds, ...fields } = header ?? {};
  const headers = {
    id: randomBytes(16).toString('hex'),
    ...fields,
    ...(leaseSeconds === null ? {} : { leaseSeconds }),
  };
  const level = levelOf(header ?? {}, settings.maxPriority);
  channel.sendToQueue(workQueueName(settings.prefix, queue), Buffer.from(body), {
    persistent: true,
    headers,
    ...(level === undefined ? {} : { priority: level }),
  });
  await channel.waitForConfirms();
  await channel.close();
}
