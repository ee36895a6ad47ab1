import { setMaxListeners } from 'node:events';
import type { Channel, GetMessage, Message } from 'amqplib';
import { ConnectionFailed, ServerRefused } from '../../contract/index.js';
import { brokerText, replyCodeOf } from './broker-errors.js';
import { within } from './within.js';

/**
 * A channel that deliveries come by. Tags mean something on their own channel only: on another the same number can be
 * another message. With the channel its deliveries are over, and the broker delivers their jobs again.
 */
export class DeliveryChannel {
  private readonly over = new AbortController();
  private readonly unsettled = new Set<Message>();
  private lastError: unknown;
  private closing = false;
  private ended: Promise<void> | undefined;

  constructor(
    readonly channel: Channel,
    private readonly answerTimeoutMs: number,
  ) {
    // Whoever holds a delivery listens, and one channel may have many.
    setMaxListeners(0, this.over.signal);
    channel.on('error', (error) => (this.lastError = error));
    channel.on('close', () => this.over.abort(lostWith(this.lastError)));
  }

  /** Aborts when the channel is closed, with an error that says why. */
  get lost(): AbortSignal {
    return this.over.signal;
  }

  get closed(): boolean {
    return this.over.signal.aborted;
  }

  /** The next message of a queue, or null; where its answer is late, the message goes back. */
  async get(queue: string): Promise<GetMessage | null> {
    const answer = this.channel.get(queue, { noAck: false });
    const message = await within(this.answerTimeoutMs, answer, (late) => {
      if (late !== false && !this.closed) this.channel.nack(late, false, true);
    });
    if (message === false) return null;
    this.delivered(message);
    return message;
  }

  delivered(message: Message): void {
    this.unsettled.add(message);
  }

  /** False when the channel is closed, or this delivery was settled before: nothing was sent. */
  ack(message: Message): boolean {
    return this.settled(message, () => this.channel.ack(message));
  }

  /** Gives the message back to its queue at once. False as for `ack()`. */
  requeue(message: Message): boolean {
    return this.settled(message, () => this.channel.nack(message, false, true));
  }

  /** Closes the channel as soon as no delivery of it is unsettled. */
  closeWhenSettled(): void {
    this.closing = true;
    if (this.unsettled.size === 0) void this.close();
  }

  /** Closes the channel; what is unsettled is delivered again. Whoever asks waits until all that was settled was sent. */
  close(): Promise<void> {
    this.ended ??= this.closeNow();
    return this.ended;
  }

  private async closeNow(): Promise<void> {
    if (this.closed) return;
    try {
      await within(this.answerTimeoutMs, this.channel.close());
    } catch {
      // It was closed, or its connection is lost.
    }
  }

  private settled(message: Message, send: () => void): boolean {
    if (this.closed || !this.unsettled.delete(message)) return false;
    try {
      send();
    } catch {
      // The library knows that the channel closes, the event is still to come.
      return false;
    }
    if (this.closing) this.closeWhenSettled();
    return true;
  }
}

function lostWith(error: unknown): Error {
  const text = 'The channel that this delivery came by was closed';
  if (replyCodeOf(error) === null) {
    return new ConnectionFailed(`${text} with its connection. RabbitMQ delivers the job again.`, {
      cause: error,
    });
  }
  return new ServerRefused(
    `${text} by RabbitMQ (${brokerText(error)}): it delivers the job again. Where a delivery timed out, raise ` +
      '`consumer_timeout` of the broker above the longest run of a job.',
    { cause: error },
  );
}
