import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import {
  deadQueueName,
  ladderQueues,
  ladderTopology,
  type TopologyOptions,
  topologySettings,
  workQueueName,
  workTopology,
} from '../../../lib/backends/rabbitmq/topology/index.js';
import { rabbitmq, type RabbitMqOptions } from '../../../lib/rabbitmq.js';
import { amqpConfirmations, amqpRequests } from '../../support/amqp-requests.js';
import { newPrivateRabbitmq } from '../../support/private-rabbitmq.js';
import { declare } from '../../support/rabbitmq-declare.js';
import { rabbitmqTestUrl } from '../../support/rabbitmq-servers.js';
import { type DeliveryRules, FAULT_QUEUE, type OpenTargetOptions, type TargetKind } from '../target.js';
import { FENCED_LEASES } from './delivery-rules.js';
import { faultEnvironment } from './fault-environment.js';
import type { Address, Protocol } from './fault-wire.js';
import { serverFaults } from './server-faults.js';
import { storedTarget } from './stored-target.js';
import { newTestName } from './test-name.js';
import { onlyAddress, openWays } from './ways.js';

const PROTOCOL: Protocol = {
  requests: amqpRequests,
  answers: amqpConfirmations,
  answersSettlements: false,
};
/** A silent broker is given up on soon, and so is a silent worker, so that a trial ends in seconds. */
const HEARTBEAT_SECONDS = 1;
const TIMEOUT_MS = 1_500;
const DIRECTORY_WRITTEN_MS = 1_500;

const RULES: DeliveryRules = {
  ...FENCED_LEASES,
  fenced: false,
  leases: false,
  // The broker closes a connection of which it has had nothing for two intervals, and a client speaks every half of one.
  silenceSeconds: 1.5 * HEARTBEAT_SECONDS,
  answersAcks: false,
  countsCrashes: false,
};

export const rabbitmqTarget = targetOf('rabbitmq', 'classic', RULES);
export const rabbitmqQuorumTarget = targetOf('rabbitmq-quorum', 'quorum', { ...RULES, countsCrashes: true });

function targetOf(
  name: 'rabbitmq' | 'rabbitmq-quorum',
  queueType: 'classic' | 'quorum',
  rules: DeliveryRules,
): TargetKind {
  const kind = { name, rules };
  return { ...kind, open: (options) => open(queueType, kind, options) };
}

async function open(
  queueType: 'classic' | 'quorum',
  kind: Pick<TargetKind, 'name' | 'rules'>,
  { needs, leaseSeconds }: OpenTargetOptions,
) {
  const server = needs.server ? await newPrivateRabbitmq() : null;
  await server?.start();
  const url = server?.url ?? rabbitmqTestUrl();
  const queuePrefix = `${newTestName()}-`;
  const optionsAt = ({ host, port }: Address): RabbitMqOptions => ({
    url: Object.assign(new URL(url), { hostname: host, port: String(port) }).href,
    queuePrefix,
    queueType,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    ...(needs.server || needs.proxy ? { connectTimeoutMs: TIMEOUT_MS, confirmTimeoutMs: TIMEOUT_MS } : {}),
  });
  if (server !== null && queueType === 'quorum') await declareLongAgo(url, { queuePrefix, queueType });
  const address = { host: url.hostname, port: Number(url.port) || 5_672 };
  const ways = await openWays([address], PROTOCOL, needs.proxy);
  return storedTarget({
    kind,
    leaseSeconds,
    environment: (role) =>
      faultEnvironment({ driver: 'rabbitmq', options: optionsAt(onlyAddress(ways.addresses[role])) }),
    direct: rabbitmq(optionsAt(address)),
    server: server === null ? null : serverFaults(server),
    proxies: ways.proxies,
    async remove() {
      await ways.close();
      if (server === null) await deleteQueues(url, workQueueName(queuePrefix, FAULT_QUEUE));
      else await server.remove();
    },
  });
}

/**
 * A broker that is killed in the first second of a quorum queue may never find that queue's log again, whatever it has
 * confirmed: it writes down late where the log is. No event tells when it has.
 */
async function declareLongAgo(url: URL, topology: TopologyOptions): Promise<void> {
  const connection = await connect(url.href);
  const channel = await connection.createChannel();
  const settings = topologySettings(topology);
  await declare(channel, workTopology(settings, FAULT_QUEUE));
  // Where a job of a trial waits when it is released.
  await declare(channel, ladderTopology(workQueueName(settings.prefix, FAULT_QUEUE), settings.queueType, 0));
  await connection.close();
  await sleep(DIRECTORY_WRITTEN_MS);
}

/** With what stands beside the queue of jobs. What is not there is deleted without complaint. */
async function deleteQueues(url: URL, workQueue: string): Promise<void> {
  const connection = await connect(url.href);
  const channel = await connection.createChannel();
  for (const tier of ladderQueues(workQueue)) {
    await channel.deleteQueue(tier);
    await channel.deleteExchange(`${tier}.in`);
  }
  for (const queue of [workQueue, deadQueueName(workQueue)]) await channel.deleteQueue(queue);
  await connection.close();
}
