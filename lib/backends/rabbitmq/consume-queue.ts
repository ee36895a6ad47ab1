import type { ConsumeMessage } from 'amqplib';
import { type ConsumeOptions, type Consumption, ServerRefused } from '../../contract/index.js';
import { NOT_FOUND, replyCodeOf } from './broker-errors.js';
import type { BrokerSession } from './broker-session.js';
import type { DeliveryChannel } from './delivery-channel.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { reservedMessage } from './reserved-message.js';
import { workQueueName } from './topology/index.js';
import { within } from './within.js';

/** The broker keeps the prefetch in two octets. */
const MAX_PREFETCH = 65_535;

/** Lets the broker send what a queue has, over a channel of its own. */
export async function consumeQueue(
  parts: RabbitMqBackendParts,
  queue: string,
  options: ConsumeOptions,
): Promise<Consumption> {
  for (let isSecond = false; ; isSecond = true) {
    const session = await parts.broker.session();
    try {
      await session.declarations.work(queue);
      return await openConsumer(parts, session, queue, options);
    } catch (error) {
      if (replyCodeOf(error) !== NOT_FOUND) throw error;
      session.declarations.forget(queue);
      if (isSecond) throw error;
    }
  }
}

async function openConsumer(
  { settings: { topology, confirmTimeoutMs } }: RabbitMqBackendParts,
  session: BrokerSession,
  queue: string,
  { prefetch, onItem, onLost }: ConsumeOptions,
): Promise<Consumption> {
  const deliveries = await session.openDeliveries();
  const { channel } = deliveries;
  let over = false;
  const lost = (error: Error): void => {
    if (over) return;
    over = true;
    onLost(error);
  };
  const take = (message: ConsumeMessage | null): void => {
    if (message === null) {
      session.declarations.forget(queue);
      deliveries.closeWhenSettled();
      lost(cancelled(queue));
      return;
    }
    deliveries.delivered(message);
    onItem(reservedMessage(queue, topology.queueType, deliveries, message));
  };
  const name = workQueueName(topology.prefix, queue);
  let consumerTag: string;
  try {
    await within(confirmTimeoutMs, channel.prefetch(Math.min(prefetch, MAX_PREFETCH)));
    ({ consumerTag } = await within(confirmTimeoutMs, channel.consume(name, take, { noAck: false })));
  } catch (error) {
    over = true;
    // An answer that is late would open a consumer that nobody listens to.
    void deliveries.close();
    throw error;
  }
  return consumption(deliveries, consumerTag, lost, confirmTimeoutMs, () => (over = true));
}

function consumption(
  deliveries: DeliveryChannel,
  consumerTag: string,
  lost: (error: Error) => void,
  answerTimeoutMs: number,
  stopped: () => void,
): Consumption {
  const { channel } = deliveries;
  const channelClosed = (): void => lost(deliveries.lost.reason as Error);
  if (deliveries.closed) channelClosed();
  else deliveries.lost.addEventListener('abort', channelClosed);
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopped();
    if (deliveries.closed) return;
    try {
      await within(answerTimeoutMs, channel.cancel(consumerTag));
      deliveries.closeWhenSettled();
    } catch {
      // Closed meanwhile, or nothing is heard of the broker: closing is all that keeps items from coming.
      await deliveries.close();
    }
  };
  return { stop: () => (stopping ??= stop()) };
}

function cancelled(queue: string): Error {
  return new ServerRefused(
    `consume(): expected RabbitMQ to keep the consumer of queue "${queue}", came a cancellation: the queue was deleted, ` +
      'or its node went away. Open another consumer; that declares the queue again.',
  );
}
