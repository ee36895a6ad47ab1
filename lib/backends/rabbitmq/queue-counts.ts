import type { QueueCounts } from '../../contract/index.js';
import type { PassiveChannel } from './passive-channel.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { deadQueueName, ladderQueues, workQueueName } from './topology/index.js';

/** Reads what a queue and those beside it hold, one after the other; nothing is declared. */
export async function countQueue(
  { settings: { topology, failedJobs }, delivering }: RabbitMqBackendParts,
  queue: string,
): Promise<QueueCounts> {
  const name = workQueueName(topology.prefix, queue);
  return (await delivering.session()).passively(async (channel) => {
    const ready = (await channel.ready(name)) ?? 0;
    const tiers = topology.delays === 'ladder' ? await tiersThatAreThere(channel, name) : null;
    const failed = failedJobs ? ((await channel.ready(deadQueueName(name))) ?? 0) : null;
    return {
      ready,
      delayed: tiers?.reduce((sum, tier) => sum + tier.messages, 0) ?? null,
      reserved: null,
      failed,
      oldestReadySeconds: null,
      paused: false,
    };
  });
}

/** Removes what waits and what is ready; resolves with how many messages that were. */
export async function clearQueue(
  { settings: { topology }, delivering }: RabbitMqBackendParts,
  queue: string,
): Promise<number> {
  const name = workQueueName(topology.prefix, queue);
  return (await delivering.session()).passively(async (channel) => {
    const tiers = await tiersThatAreThere(channel, name);
    let removed = 0;
    // From the top down: what moves on meanwhile is met further down.
    for (const part of [...tiers.map((tier) => tier.name).toReversed(), name]) {
      removed += (await channel.purge(part)) ?? 0;
    }
    return removed;
  });
}

interface Tier {
  readonly name: string;
  readonly messages: number;
}

/**
 * The tiers of the ladder from the lowest up. They are declared in this order, so that behind one that is missing there
 * are none; and each question for a missing queue leaves a line in the broker's log.
 */
async function tiersThatAreThere(channel: PassiveChannel, workQueue: string): Promise<readonly Tier[]> {
  const tiers: Tier[] = [];
  for (const name of ladderQueues(workQueue).toReversed()) {
    const messages = await channel.ready(name);
    if (messages === null) break;
    tiers.push({ name, messages });
  }
  return tiers;
}
