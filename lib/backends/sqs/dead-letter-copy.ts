import type { Failure } from '../../contract/index.js';
import { bytesOf, escapeRefused, type MessageAttributes, type OutgoingMessage, text } from './message.js';
import { MAX_ATTRIBUTES } from './service-limits.js';
import type { SqsReceipt } from './sqs-receipt.js';

/** What is kept of a message when its failure leaves no room for more. */
const SHORT_MESSAGE_CHARACTERS = 200;

/** The body as it was received, with as much about the failure as SQS takes. */
export function deadLetterCopy(
  { queue, message }: Pick<SqsReceipt, 'queue' | 'message'>,
  failure: Failure,
  maxBytes: number,
): OutgoingMessage {
  const { body } = message;
  for (const attributes of choices(queue, message.attributes, failure)) {
    const bytes = bytesOf(body, attributes);
    if (bytes <= maxBytes) return { body, attributes, delaySeconds: 0, bytes };
  }
  return { body, attributes: {}, delaySeconds: 0, bytes: bytesOf(body, {}) };
}

/** From all that is known to what is needed to run the job again. */
function* choices(
  queue: string,
  received: MessageAttributes,
  failure: Failure,
): Generator<MessageAttributes> {
  const about = { failedQueue: text(queue), failedAt: text(new Date().toISOString()) };
  const short = { ...failure, stack: null, message: failure.message.slice(0, SHORT_MESSAGE_CHARACTERS) };
  for (const kept of [failure, { ...failure, stack: null }, short]) {
    yield fitting({ ...about, failure: text(escapeRefused(JSON.stringify(kept))) }, received);
  }
  yield fitting(about, received);
  yield received;
}

/** `own`, and of `received` as many as SQS takes. */
function fitting(own: MessageAttributes, received: MessageAttributes): MessageAttributes {
  const others = Object.entries(received).filter(([name]) => !Object.hasOwn(own, name));
  return { ...Object.fromEntries(others.slice(0, MAX_ATTRIBUTES - Object.keys(own).length)), ...own };
}
