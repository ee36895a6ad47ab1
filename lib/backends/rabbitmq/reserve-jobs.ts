import type { ReservedItem } from '../../contract/index.js';
import { NOT_FOUND, replyCodeOf, translateError } from './broker-errors.js';
import type { BrokerSession } from './broker-session.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { reservedMessage } from './reserved-message.js';
import { workQueueName } from './topology/index.js';

/** Gets what is there, queue by queue in the order given. */
export async function reserveJobs(
  parts: RabbitMqBackendParts,
  queues: readonly string[],
  limit: number,
): Promise<readonly ReservedItem[]> {
  const items: ReservedItem[] = [];
  for (const queue of queues) {
    if (items.length >= limit) break;
    try {
      await sweep(parts, queue, limit, items);
    } catch (error) {
      // What was delivered must reach the caller; the trouble is met again by the next sweep.
      const held = items.filter(({ lost }) => lost?.aborted !== true);
      if (held.length === 0) throw translateError(error, 'reserve()');
      return held;
    }
  }
  return items;
}

async function sweep(
  parts: RabbitMqBackendParts,
  queue: string,
  limit: number,
  items: ReservedItem[],
): Promise<void> {
  for (let isSecond = false; ; isSecond = true) {
    const session = await parts.delivering.session();
    try {
      return await sweepOver(parts, session, queue, limit, items);
    } catch (error) {
      if (replyCodeOf(error) !== NOT_FOUND) throw error;
      // The queue was deleted, and with it what was held of it.
      session.declarations.forget(queue);
      if (isSecond) throw error;
    }
  }
}

async function sweepOver(
  { settings: { topology } }: RabbitMqBackendParts,
  session: BrokerSession,
  queue: string,
  limit: number,
  items: ReservedItem[],
): Promise<void> {
  await session.declarations.work(queue);
  const channel = await session.sweepChannel(queue);
  const name = workQueueName(topology.prefix, queue);
  while (items.length < limit) {
    const message = await channel.get(name);
    if (message === null) return;
    items.push(reservedMessage(queue, topology.queueType, channel, message));
  }
}
