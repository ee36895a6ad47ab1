import type { MessageAttributeValue, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { NewJob } from '../../contract/index.js';

export type MessageAttributes = Readonly<Record<string, MessageAttributeValue>>;

/** A message that is ready to be sent, and what SQS will count of it. */
export interface OutgoingMessage {
  readonly body: string;
  readonly attributes: MessageAttributes;
  readonly delaySeconds: number;
  readonly bytes: number;
}

/** What SQS takes in a body and in a text attribute, from its API reference ("SendMessage"). */
const REFUSED = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** The same JSON value in characters that SQS takes. Outside of its strings JSON has no others. */
export function escapeRefused(json: string): string {
  return json.replace(REFUSED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function text(value: string): MessageAttributeValue {
  return { DataType: 'String', StringValue: value };
}

export function number(value: number): MessageAttributeValue {
  return { DataType: 'Number', StringValue: String(value) };
}

/** As SQS counts: body, and of each attribute its name, type and value, in UTF-8. */
export function bytesOf(body: string, attributes: MessageAttributes): number {
  return Object.entries(attributes).reduce(
    (bytes, [name, { DataType = '', StringValue = '', BinaryValue }]) =>
      bytes +
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue) +
      (BinaryValue?.byteLength ?? 0),
    Buffer.byteLength(body),
  );
}

/** The message of a job that is pushed. */
export function messageOf({ header, body: json, delaySeconds }: NewJob): OutgoingMessage {
  const body = escapeRefused(json);
  const attributes = {
    v: number(header.v),
    ...(header.leaseSeconds === null ? {} : { leaseSeconds: number(header.leaseSeconds) }),
    ...mirrored(json),
  };
  return { body, attributes, delaySeconds: Math.ceil(delaySeconds), bytes: bytesOf(body, attributes) };
}

/**
 * What other readers of the queue (the console, a filter, a function of AWS) want to see without knowing the envelope:
 * `maxAttempts`, and `metadata` as one JSON text, for SQS takes ten attributes at most. Nothing here reads it back.
 */
function mirrored(json: string): MessageAttributes {
  const { maxAttempts, metadata } = fieldsOf(json);
  const hasMetadata = typeof metadata === 'object' && metadata !== null && Object.keys(metadata).length > 0;
  return {
    ...(typeof maxAttempts === 'number' ? { maxAttempts: number(maxAttempts) } : {}),
    ...(hasMetadata ? { metadata: text(escapeRefused(JSON.stringify(metadata))) } : {}),
  };
}

function fieldsOf(json: string): { readonly [field: string]: unknown } {
  try {
    return Object(JSON.parse(json)) as { readonly [field: string]: unknown };
  } catch {
    return {};
  }
}

export function entryOf(message: OutgoingMessage, id: string): SendMessageBatchRequestEntry {
  const { body, attributes, delaySeconds } = message;
  return {
    Id: id,
    MessageBody: body,
    // Given always: a queue may have a delay of its own.
    DelaySeconds: delaySeconds,
    ...(Object.keys(attributes).length === 0 ? {} : { MessageAttributes: { ...attributes } }),
  };
}
