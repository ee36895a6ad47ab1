import type { ConfirmChannel } from 'amqplib';
import { ConfirmedWrites, type Outgoing, type Published } from './confirmed-writes.js';
import { within } from './within.js';

/** A channel in confirm mode, opened at first use and again after it was closed. Many publishes may be under way. */
export class PublishChannel {
  private opening: Promise<ConfirmedWrites> | undefined;
  private current: ConfirmedWrites | undefined;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    private readonly createChannel: () => Promise<ConfirmChannel>,
    private readonly answerTimeoutMs: number,
  ) {}

  /** Never rejects for the broker. Publishes of one tick are sent in their order. */
  publish(message: Outgoing): Promise<Published> {
    const published = this.publishNow(message).finally(() => this.underWay.delete(published));
    this.underWay.add(published);
    return published;
  }

  /** Closes the channel when what is under way has ended. */
  async close(): Promise<void> {
    await Promise.allSettled(this.underWay);
    try {
      const { channel } = (await this.opening) ?? {};
      if (channel !== undefined) await within(this.answerTimeoutMs, channel.close());
    } catch {
      // It was closed, or its connection is lost.
    }
  }

  private async publishNow(message: Outgoing): Promise<Published> {
    if (this.current !== undefined) return this.current.write(message);
    let writes: ConfirmedWrites;
    try {
      writes = await within(this.answerTimeoutMs, (this.opening ??= this.open()));
    } catch (cause) {
      return { status: 'unsent', cause };
    }
    return writes.write(message);
  }

  private async open(): Promise<ConfirmedWrites> {
    const forget = (): void => {
      this.opening = undefined;
      this.current = undefined;
    };
    try {
      const channel = await this.createChannel();
      channel.on('close', forget);
      return (this.current = new ConfirmedWrites(channel));
    } catch (error) {
      forget();
      throw error;
    }
  }
}
