import type { Channel, ChannelModel } from 'amqplib';
import { QueueConfigurationException } from '../../contract/index.js';
import { brokerText, PRECONDITION_FAILED, replyCodeOf } from './broker-errors.js';
import type { Declaration, Topology } from './topology/index.js';
import { within } from './within.js';

/**
 * Declares, one topology after the other, on a channel of its own: a refusal closes it, and is to hurt no publish, no
 * delivery, and no other declaration.
 */
export class Declarer {
  private channel: Promise<Channel> | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly connection: ChannelModel,
    private readonly answerTimeoutMs: number,
  ) {}

  /**
   * Resolves with when the last declaration was sent, on the monotonic clock. Rejects with `QueueConfigurationException`
   * where something is there that is declared differently, else with the error of the client library.
   */
  apply(topology: Topology): Promise<number> {
    const applied = this.turn.then(() => this.applyNow(topology));
    this.turn = applied.catch(() => undefined);
    return within(this.answerTimeoutMs, applied);
  }

  private async applyNow(topology: Topology): Promise<number> {
    let sentAt = performance.now();
    const channel = await (this.channel ??= this.open());
    for (const declaration of topology) {
      sentAt = performance.now();
      try {
        await declare(channel, declaration);
      } catch (error) {
        throw refusalOf(error, declaration);
      }
    }
    return sentAt;
  }

  private async open(): Promise<Channel> {
    const forget = (): void => (this.channel = undefined);
    try {
      const channel = await this.connection.createChannel();
      channel.on('error', forget);
      channel.on('close', forget);
      return channel;
    } catch (error) {
      forget();
      throw error;
    }
  }
}

async function declare(channel: Channel, declaration: Declaration): Promise<void> {
  switch (declaration.kind) {
    case 'queue': {
      const { name, durable, arguments: args } = declaration;
      await channel.assertQueue(name, { durable, arguments: args });
      return;
    }
    case 'exchange':
      await channel.assertExchange(declaration.name, declaration.type, { durable: declaration.durable });
      return;
    case 'binding': {
      const { exchange, pattern, to } = declaration;
      if (to.kind === 'queue') await channel.bindQueue(to.name, exchange, pattern);
      else await channel.bindExchange(to.name, exchange, pattern);
    }
  }
}

function refusalOf(error: unknown, declaration: Declaration): unknown {
  if (declaration.kind === 'binding' || replyCodeOf(error) !== PRECONDITION_FAILED) return error;
  const asked = declaration.kind === 'queue' ? JSON.stringify(declaration.arguments) : declaration.type;
  return new QueueConfigurationException(
    `rabbitmq(): expected to declare the ${declaration.kind} "${declaration.name}" with ${asked}, came a refusal ` +
      `(${brokerText(error)}). What is there was declared differently: give all processes the same options, or empty ` +
      'and delete it first.',
    { cause: error },
  );
}
