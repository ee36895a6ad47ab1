import type { Message } from 'amqplib';
import type { ReservedItem } from '../../contract/index.js';
import { translateError } from './broker-errors.js';
import type { BrokerSession } from './broker-session.js';
import { fromDeclaredQueue } from './declared-queue.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { reservedMessage } from './reserved-message.js';
import { workQueueName } from './topology/index.js';

/** The library sends one after the other, each as soon as the one before is answered. */
const MAX_GETS_AT_ONCE = 20;

/** Gets what is there, queue by queue in the order given. */
export async function reserveJobs(
  parts: RabbitMqBackendParts,
  queues: readonly string[],
  limit: number,
): Promise<readonly ReservedItem[]> {
  let items: ReservedItem[] = [];
  const dropLost = (): ReservedItem[] => (items = items.filter(({ lost }) => lost?.aborted !== true));
  for (const queue of queues) {
    if (items.length >= limit) break;
    try {
      await fromDeclaredQueue(parts, queue, (session) => sweep(parts, session, queue, limit, dropLost()));
    } catch (error) {
      // What was delivered must reach the caller; the trouble is met again by the next sweep.
      if (dropLost().length === 0) throw translateError(error, 'reserve()');
      break;
    }
  }
  return items;
}

async function sweep(
  { settings: { topology } }: RabbitMqBackendParts,
  session: BrokerSession,
  queue: string,
  limit: number,
  items: ReservedItem[],
): Promise<void> {
  const channel = await session.sweepChannel(queue);
  const name = workQueueName(topology.prefix, queue);
  const take = (message: Message): void =>
    void items.push(reservedMessage(queue, topology.queueType, channel, message));
  while (items.length < limit) {
    const first = await channel.get(name);
    if (first === null) return;
    take(first);
    // As many as there were behind it: one that finds nothing costs as much as one that does.
    const more = Math.min(limit - items.length, first.fields.messageCount, MAX_GETS_AT_ONCE);
    const answers = await Promise.allSettled(Array.from({ length: more }, () => channel.get(name)));
    for (const answer of answers)
      if (answer.status === 'fulfilled' && answer.value !== null) take(answer.value);
    // Thrown behind the others: what was delivered must not be forgotten.
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  }
}
