import type { Message } from 'amqplib';
import type { Receipt } from '../../contract/index.js';
import type { DeliveryChannel } from './delivery-channel.js';

/** One delivery: a message of the channel that it came by. */
export class RabbitMqReceipt {
  constructor(
    readonly queue: string,
    readonly channel: DeliveryChannel,
    readonly message: Message,
  ) {}
}

/** Receipts come back as they were handed out; anything else is a defect of the caller. */
export function asRabbitMqReceipt(receipt: Receipt): RabbitMqReceipt {
  if (receipt instanceof RabbitMqReceipt) return receipt;
  throw new TypeError('settle(): expected a receipt of the rabbitmq backend, came one of another backend.');
}
