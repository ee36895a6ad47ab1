import type { Message } from 'amqplib';
import type { MessageHeaders } from './topology/index.js';

/** What goes along when a received message is published again: its bytes, and what it says of them. */
export interface ReceivedContent {
  readonly content: Buffer;
  /** null where it says nothing. */
  readonly contentType: string | null;
  readonly headers: MessageHeaders | undefined;
}

export function receivedContent({ content, properties }: Message): ReceivedContent {
  const { contentType, headers } = properties as { contentType?: unknown; headers?: MessageHeaders };
  return { content, contentType: typeof contentType === 'string' ? contentType : null, headers };
}
