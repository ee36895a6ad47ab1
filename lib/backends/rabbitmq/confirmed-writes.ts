import { randomUUID } from 'node:crypto';
import type { ConfirmChannel } from 'amqplib';
import type { PublishProperties } from './topology/index.js';

/** One message on its way. */
export interface Outgoing {
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  /** When the confirmation has to be here at the latest, on the monotonic clock. */
  readonly confirmBy: number;
  /** Everything about the message; its id is that of this one publish. */
  properties(messageId: string): PublishProperties;
}

/**
 * What became of a publish. `returned`: no queue took it, so it is certainly not stored. `unsent` and `overdue`: never
 * handed to the socket, because the channel was closed or because its time was over before. `unknown`: the broker refused
 * it, or did not confirm it in time, or the channel was closed.
 */
export type Published =
  | { readonly status: 'confirmed' }
  | { readonly status: 'returned' }
  | { readonly status: 'overdue' }
  | { readonly status: 'unsent'; readonly cause: unknown }
  | { readonly status: 'unknown'; readonly cause: unknown };

interface Write {
  readonly message: Outgoing;
  readonly messageId: string;
  sent: boolean;
  end(published: Published): void;
  fail(error: Error): void;
}

/** What one open channel in confirm mode has to write, in order, and what the broker says of it. */
export class ConfirmedWrites {
  private readonly waiting: Write[] = [];
  /** Ids of messages that came back and are not confirmed yet: the broker does both, in this order. */
  private readonly returned = new Set<string>();
  private draining = false;
  private closed = false;
  private lastError: unknown;

  constructor(readonly channel: ConfirmChannel) {
    channel.on('return', ({ properties }) => this.returned.add(String(properties.messageId)));
    channel.on('error', (error) => (this.lastError = error));
    channel.on('drain', () => {
      this.draining = false;
      this.sendWaiting();
    });
    channel.on('close', () => {
      this.closed = true;
      this.draining = false;
      this.sendWaiting();
    });
  }

  /** Rejects for a message that cannot be put into frames, which is a defect. */
  write(message: Outgoing): Promise<Published> {
    return new Promise((resolve, reject) => {
      const leftMs = Math.max(0, message.confirmBy - performance.now());
      const timer = setTimeout(() => write.end(overtime(write)), leftMs);
      const write: Write = {
        message,
        messageId: randomUUID(),
        sent: false,
        end(published) {
          clearTimeout(timer);
          resolve(published);
        },
        fail(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.waiting.push(write);
      this.sendWaiting();
    });
  }

  /** Sends what waits, as far as the channel has room. */
  private sendWaiting(): void {
    while (!this.draining) {
      const write = this.waiting.shift();
      if (write === undefined) return;
      if (performance.now() >= write.message.confirmBy) write.end({ status: 'overdue' });
      else if (this.closed) write.end({ status: 'unsent', cause: this.lastError });
      else this.send(write);
    }
  }

  private send(write: Write): void {
    const { exchange, routingKey, content } = write.message;
    const options = write.message.properties(write.messageId);
    const confirmed = (error: unknown): void => write.end(this.outcomeOf(write, error));
    try {
      write.sent = true;
      this.draining = !this.channel.publish(exchange, routingKey, content, options, confirmed);
    } catch (cause) {
      write.sent = false;
      if (cause instanceof TypeError || cause instanceof RangeError) write.fail(cause);
      else write.end({ status: 'unsent', cause });
    }
  }

  private outcomeOf(write: Write, error: unknown): Published {
    const isReturned = this.returned.delete(write.messageId);
    if (error !== null) return { status: 'unknown', cause: this.lastError ?? error };
    if (isReturned) return { status: 'returned' };
    // The timer may be late itself.
    return performance.now() <= write.message.confirmBy ? { status: 'confirmed' } : overtime(write);
  }
}

function overtime({ sent }: Write): Published {
  return sent ? { status: 'unknown', cause: undefined } : { status: 'overdue' };
}
