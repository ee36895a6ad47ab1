import type { Message } from 'amqplib';
import type { ReservedItem } from '../../contract/index.js';
import type { DeliveryChannel } from './delivery-channel.js';
import { RabbitMqReceipt } from './rabbitmq-receipt.js';
import { type QueueType, readHeader } from './topology/index.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A delivery as the layers above know it. */
export function reservedMessage(
  queue: string,
  queueType: QueueType,
  channel: DeliveryChannel,
  message: Message,
): ReservedItem {
  return {
    queue,
    receipt: new RabbitMqReceipt(queue, channel, message),
    header: readHeader(message.properties.headers, queueType),
    body: textOf(message.content),
    leaseSeconds: null,
    lost: channel.lost,
  };
}

/** The text, or the bytes where they are none. */
export function textOf(content: Buffer): string | Uint8Array {
  try {
    return UTF8.decode(content);
  } catch {
    return content;
  }
}
