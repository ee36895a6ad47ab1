import type { Channel, ChannelModel } from 'amqplib';
import { NOT_FOUND, replyCodeOf } from './broker-errors.js';
import { within } from './within.js';

/** A channel for questions about queues that may not be there; each such answer closes it, and the next opens another. */
export class PassiveChannel {
  private channel: Channel | undefined;

  constructor(
    private readonly connection: ChannelModel,
    private readonly answerTimeoutMs: number,
  ) {}

  /** How many messages of a queue are ready; null where it is not there. */
  async ready(queue: string): Promise<number | null> {
    return this.ask(async (channel) => (await channel.checkQueue(queue)).messageCount);
  }

  /** How many consumers a queue has; null where it is not there. */
  async consumers(queue: string): Promise<number | null> {
    return this.ask(async (channel) => (await channel.checkQueue(queue)).consumerCount);
  }

  async hasExchange(exchange: string): Promise<boolean> {
    return (await this.ask((channel) => channel.checkExchange(exchange).then(() => 1))) !== null;
  }

  /** Deletes the messages of a queue that are ready, and says how many; null where it is not there. */
  async purge(queue: string): Promise<number | null> {
    return this.ask(async (channel) => (await channel.purgeQueue(queue)).messageCount);
  }

  async close(): Promise<void> {
    const { channel } = this;
    this.channel = undefined;
    try {
      if (channel !== undefined) await within(this.answerTimeoutMs, channel.close());
    } catch {
      // It was closed, or its connection is lost.
    }
  }

  private async ask(request: (channel: Channel) => Promise<number>): Promise<number | null> {
    try {
      const channel = (this.channel ??= await within(this.answerTimeoutMs, this.open(), (late) => {
        void late.close().catch(() => undefined);
      }));
      return await within(this.answerTimeoutMs, request(channel));
    } catch (error) {
      if (replyCodeOf(error) !== NOT_FOUND) throw error;
      this.channel = undefined;
      return null;
    }
  }

  private async open(): Promise<Channel> {
    const channel = await this.connection.createChannel();
    channel.on('error', () => undefined);
    return channel;
  }
}
