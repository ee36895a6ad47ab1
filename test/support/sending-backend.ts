import { MemoryBackend } from '../../lib/backends/memory/memory-backend.js';
import {
  type ConsumeOptions,
  type ConsumingBackend,
  type Consumption,
  failedJobsRetention,
  type ReservedItem,
} from '../../lib/contract/index.js';
import { CrippledBackend } from './crippled/crippled-backend.js';
import { rabbitmqProfile } from './crippled/profiles.js';
import { ScriptedBackend } from './scripted-backend.js';

/** A consumer that was asked for, and what became of it. */
export interface SeenConsumer {
  readonly queue: string;
  readonly options: ConsumeOptions;
  open: boolean;
}

/** A backend that sends deliveries by itself, with answers that a test prescribes in front of it. */
export class SendingBackend extends ScriptedBackend implements ConsumingBackend {
  override readonly inner = new CrippledBackend(
    new MemoryBackend(90, { now: () => Date.now() }, failedJobsRetention(undefined, 'sending')),
    rabbitmqProfile.capabilities,
    rabbitmqProfile,
  );
  readonly consumers: SeenConsumer[] = [];
  /** Thrown by the next openings, or waited for by them, one each. */
  readonly nextConsumes: (Error | Promise<void>)[] = [];
  /** How many consumers were opened, and how many items were sent to them. */
  opened = 0;
  sent = 0;
  /** The server hears of a stop only after this. */
  delayStop: Promise<void> | null = null;
  /** A stop of a consumer resolves, or rejects, with this. */
  holdStop: Promise<void> | null = null;

  async consume(queue: string, options: ConsumeOptions): Promise<Consumption> {
    const seen: SeenConsumer = { queue, options, open: false };
    this.consumers.push(seen);
    const next = this.nextConsumes.shift();
    if (next instanceof Error) throw next;
    await next;
    const consumption = await this.inner.consume(queue, {
      ...options,
      onItem: (item) => this.#hand(item, options),
      onLost: (error) => {
        seen.open = false;
        options.onLost(error);
      },
    });
    seen.open = true;
    this.opened += 1;
    return {
      stop: async () => {
        seen.open = false;
        if (this.delayStop !== null) await this.delayStop;
        await consumption.stop();
        await this.holdStop;
      },
    };
  }

  /** The consumer that was asked for last. */
  get consumer(): SeenConsumer {
    const last = this.consumers.at(-1);
    if (last === undefined) throw new Error('No consumer was asked for.');
    return last;
  }

  /** Sends the oldest job, or `item`, whatever the prefetch says: as what was on its way already. */
  async send(item?: ReservedItem): Promise<void> {
    const sent = item ?? (await this.inner.reserve([this.consumer.queue], 1))[0];
    if (sent === undefined) throw new Error('There is nothing to send.');
    this.#hand(sent, this.consumer.options);
  }

  /** The server closes the channel of consumers and deliveries. */
  disconnect(): Promise<void> {
    return this.inner.disconnect();
  }

  #hand(item: ReservedItem, { onItem }: ConsumeOptions): void {
    this.sent += 1;
    onItem(item);
  }
}
