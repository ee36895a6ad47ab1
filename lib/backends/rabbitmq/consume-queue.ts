import type { ConsumeMessage } from 'amqplib';
import { type ConsumeOptions, type Consumption, ServerRefused } from '../../contract/index.js';
import type { BrokerSession } from './broker-session.js';
import { fromDeclaredQueue } from './declared-queue.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import { reservedMessage } from './reserved-message.js';
import { workQueueName } from './topology/index.js';
import { within } from './within.js';

/** The broker keeps the prefetch in two octets. */
const MAX_PREFETCH = 65_535;

/** Lets the broker send what a queue has, over a channel of its own. */
export function consumeQueue(
  parts: RabbitMqBackendParts,
  queue: string,
  options: ConsumeOptions,
): Promise<Consumption> {
  return fromDeclaredQueue(parts, queue, (session) => openConsumer(parts, session, queue, options));
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
  let halted = false;
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
    if (halted) return void deliveries.requeue(message);
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
  const channelClosed = (): void => lost(deliveries.lost.reason as Error);
  if (deliveries.closed) channelClosed();
  else deliveries.lost.addEventListener('abort', channelClosed);
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    over = true;
    try {
      if (!deliveries.closed) await within(confirmTimeoutMs, channel.cancel(consumerTag));
    } catch {
      // The channel was closed meanwhile, or the broker goes on sending until it hears of this.
    }
    halted = true;
    deliveries.closeWhenSettled();
  };
  return { stop: () => (stopping ??= stop()) };
}

function cancelled(queue: string): Error {
  return new ServerRefused(
    `consume(): expected RabbitMQ to keep the consumer of queue "${queue}", came a cancellation: the queue was deleted, ` +
      'or its node went away. Open another consumer; that declares the queue again.',
  );
}
