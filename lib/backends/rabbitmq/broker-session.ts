import type { ChannelModel } from 'amqplib';
import { Declarations } from './declarations.js';
import { Declarer } from './declarer.js';
import { DeliveryChannel } from './delivery-channel.js';
import { dropSocket, type NamedSettings } from './open-connection.js';
import { PassiveChannel } from './passive-channel.js';
import { PublishChannel } from './publish-channel.js';
import { within } from './within.js';

/** One connection, with the channels on it and what was declared over it. All of it ends with the connection. */
export class BrokerSession {
  readonly declarations: Declarations;
  /** To the broker's default exchange, which is always there. */
  readonly direct: PublishChannel;
  /** To exchanges that somebody may have deleted: a publish to one closes the channel for all that are on it. */
  readonly delayed: PublishChannel;
  private readonly answerTimeoutMs: number;
  private readonly sweeps = new Map<string, Promise<DeliveryChannel>>();
  private readonly deliveries = new Set<DeliveryChannel>();
  private isClosed = false;
  private error: unknown;

  constructor(
    readonly connection: ChannelModel,
    { topology, confirmTimeoutMs }: NamedSettings,
    closed: () => void,
  ) {
    this.answerTimeoutMs = confirmTimeoutMs;
    this.declarations = new Declarations(topology, new Declarer(connection, confirmTimeoutMs));
    const createChannel = () => connection.createConfirmChannel();
    this.direct = new PublishChannel(createChannel, confirmTimeoutMs);
    this.delayed = new PublishChannel(createChannel, confirmTimeoutMs);
    connection.on('error', (error: unknown) => {
      this.error = error;
      closed();
    });
    connection.on('close', () => {
      this.isClosed = true;
      closed();
      dropSocket(connection);
    });
  }

  /** What the connection ended of, where it was no orderly end. Channels say that they ended, and not of what. */
  get endedOf(): unknown {
    return this.error;
  }

  /** The channel that sweeps of a queue go over: its own, since a queue that is gone closes it. */
  sweepChannel(queue: string): Promise<DeliveryChannel> {
    const known = this.sweeps.get(queue);
    if (known !== undefined) return known;
    const forget = (): void => void this.sweeps.delete(queue);
    const opening = this.openDeliveries();
    this.sweeps.set(queue, opening);
    opening.then(({ lost }) => lost.addEventListener('abort', forget), forget);
    return opening;
  }

  /** Another channel for deliveries. */
  async openDeliveries(): Promise<DeliveryChannel> {
    const channel = await within(this.answerTimeoutMs, this.connection.createChannel(), (late) => {
      void late.close().catch(() => undefined);
    });
    const deliveries = new DeliveryChannel(channel, this.answerTimeoutMs);
    this.deliveries.add(deliveries);
    deliveries.lost.addEventListener('abort', () => this.deliveries.delete(deliveries));
    return deliveries;
  }

  /** Asks about queues over a channel that is closed behind it. */
  async passively<T>(ask: (channel: PassiveChannel) => Promise<T>): Promise<T> {
    const channel = new PassiveChannel(this.connection, this.answerTimeoutMs);
    try {
      return await ask(channel);
    } finally {
      await channel.close();
    }
  }

  /** Ends the connection when the publishes that are under way have ended, and all that was settled was sent. */
  async close(): Promise<void> {
    try {
      await within(this.answerTimeoutMs, this.closeInOrder());
    } catch {
      // It was closed, or is lost, or the broker does not answer.
    }
    dropSocket(this.connection);
  }

  private async closeInOrder(): Promise<void> {
    await Promise.all([this.direct.close(), this.delayed.close()]);
    // The close of a connection overtakes what its channels have to write; that of a channel comes behind it.
    await Promise.all([...this.deliveries].map((deliveries) => deliveries.close()));
    if (!this.isClosed) await this.connection.close();
  }
}
