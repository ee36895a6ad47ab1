import type { MessageHeaders } from './carried-headers.js';

/** How a message is published, in the client library's words. */
export interface PublishProperties {
  /** On disk before it is confirmed. */
  readonly persistent: true;
  /** Returned where no queue takes it, instead of dropped. */
  readonly mandatory: true;
  readonly contentType?: string;
  /** Of this publish alone, never used again: it ties a returned message to its publish. */
  readonly messageId: string;
  /** Left out where the queue has no levels. */
  readonly priority?: number;
  readonly headers: MessageHeaders;
}

export function publishProperties(message: {
  readonly messageId: string;
  readonly headers: MessageHeaders;
  /** What `levelOf()` says. */
  readonly level: number | undefined;
  /** Default `application/json`; null for bytes of which nothing is known. */
  readonly contentType?: string | null;
}): PublishProperties {
  const { messageId, headers, level, contentType = 'application/json' } = message;
  return {
    persistent: true,
    mandatory: true,
    messageId,
    headers,
    ...(contentType === null ? {} : { contentType }),
    ...(level === undefined ? {} : { priority: level }),
  };
}
