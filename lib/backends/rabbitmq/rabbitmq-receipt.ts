import type { Message } from 'amqplib';
import type { Receipt } from '../../contract/index.js';
import type { DeliveryChannel } from './delivery-channel.js';

/** One delivery: a message of the channel that it came by. */
export class RabbitMqReceipt {
  private claimed = false;

  constructor(
    readonly queue: string,
    readonly channel: DeliveryChannel,
    readonly message: Message,
  ) {}

  /**
   * To be called once before anything is sent for the delivery. False when it is over, or about to be settled: the broker
   * closes a channel, with all its deliveries, over a tag that it gets twice.
   */
  claim(): boolean {
    if (this.claimed || this.channel.closed) return false;
    this.claimed = true;
    return true;
  }
}

/** Receipts come back as they were handed out; anything else is a defect of the caller. */
export function asRabbitMqReceipt(receipt: Receipt): RabbitMqReceipt {
  if (receipt instanceof RabbitMqReceipt) return receipt;
  throw new TypeError('settle(): expected a receipt of the rabbitmq backend, came one of another backend.');
}
