import { ConnectionFailed, PublishNotConfirmedException, QueueException } from '../../contract/index.js';
import type { BrokerSession } from './broker-session.js';
import { brokerText, NOT_FOUND, replyCodeOf, translateError } from './broker-errors.js';
import type { Published } from './confirmed-writes.js';
import type { RabbitMqBackendParts } from './rabbitmq-backend-parts.js';
import {
  deadQueueName,
  type MessageHeaders,
  publishProperties,
  type Route,
  routeOf,
  workQueueName,
} from './topology/index.js';

/** A message and where it is to go: to its queue, now or after a delay, or to the dead letters of its queue. */
export interface MessageToSend {
  readonly queue: string;
  readonly to: 'work' | 'dead';
  readonly delaySeconds: number;
  readonly content: Buffer;
  readonly headers: MessageHeaders;
  readonly level: number | undefined;
  /** null for bytes of which nothing is known. */
  readonly contentType?: string | null;
}

/** `refused`: certainly not stored. */
export type Sent =
  | { readonly status: 'applied' }
  | { readonly status: 'refused'; readonly error: Error }
  | { readonly status: 'unknown'; readonly error: Error };

/**
 * Declares what the message needs on its way, publishes it, and waits for the confirmation. What was certainly not stored
 * is published once more, while `isWanted`: a queue that was deleted is declared again, a connection that was lost is
 * opened again. Rejects for defects only.
 */
export async function sendMessage(
  parts: RabbitMqBackendParts,
  action: string,
  message: MessageToSend,
  isWanted: () => boolean = () => true,
): Promise<Sent> {
  const giveUpAt = performance.now() + parts.settings.confirmTimeoutMs;
  const first = await sendOnce(parts, action, message);
  if (!first.again || performance.now() >= giveUpAt || !isWanted()) return first.sent;
  return (await sendOnce(parts, action, message)).sent;
}

async function sendOnce(
  parts: RabbitMqBackendParts,
  action: string,
  message: MessageToSend,
): Promise<{ readonly sent: Sent; readonly again: boolean }> {
  try {
    const session = await parts.publishing.session();
    const published = await publishOver(parts, session, message);
    if (published.status === 'confirmed') return { sent: { status: 'applied' }, again: false };
    if (isGone(published)) session.declarations.forget(message.queue);
    return { sent: failed(action, published), again: published.status !== 'unknown' };
  } catch (error) {
    // Nothing was published: no connection, or something that could not be declared.
    const translated = translateError(error, action);
    if (!(translated instanceof QueueException)) throw translated;
    return { sent: { status: 'refused', error: translated }, again: translated instanceof ConnectionFailed };
  }
}

/** Whether something that was declared on the way of the message is not there any more. */
function isGone(published: Published): boolean {
  if (published.status === 'unknown') return replyCodeOf(published.cause) === NOT_FOUND;
  return published.status === 'returned';
}

async function publishOver(
  { settings }: RabbitMqBackendParts,
  session: BrokerSession,
  message: MessageToSend,
): Promise<Published> {
  const { queue, level, headers, contentType } = message;
  const route = routeFor(settings.topology, message);
  let declaredAt = Infinity;
  if (message.to === 'dead') await session.declarations.dead(queue);
  else if (message.delaySeconds > 0) declaredAt = await session.declarations.wait(queue, route);
  else await session.declarations.work(queue);
  const confirmBy = Math.min(
    performance.now() + settings.confirmTimeoutMs,
    declaredAt + (route.confirmWithinMs ?? Infinity),
  );
  const channel = route.exchange === '' ? session.direct : session.delayed;
  return channel.publish({
    exchange: route.exchange,
    routingKey: route.routingKey,
    content: message.content,
    confirmBy,
    properties: (messageId) =>
      publishProperties({ messageId, headers, level, ...(contentType === undefined ? {} : { contentType }) }),
  });
}

function routeFor(
  topology: RabbitMqBackendParts['settings']['topology'],
  { queue, to, delaySeconds }: MessageToSend,
): Route {
  if (to === 'work') return routeOf(topology, queue, delaySeconds);
  const routingKey = deadQueueName(workQueueName(topology.prefix, queue));
  return { exchange: '', routingKey, waits: [], confirmWithinMs: null };
}

function failed(action: string, published: Exclude<Published, { status: 'confirmed' }>): Sent {
  const came = cameOf(published);
  if (published.status !== 'unknown') {
    return {
      status: 'refused',
      error: new PublishNotConfirmedException(
        `${action}: expected RabbitMQ to confirm the publish, came ${came}. Nothing was stored: try again.`,
        { cause: 'cause' in published ? published.cause : undefined },
      ),
    };
  }
  return {
    status: 'unknown',
    error: new PublishNotConfirmedException(
      `${action}: expected RabbitMQ to confirm the publish, came ${came}. It may be stored or not: look before you ` +
        'repeat a push, a second copy may be stored.',
      { cause: published.cause },
    ),
  };
}

function cameOf(published: Exclude<Published, { status: 'confirmed' }>): string {
  switch (published.status) {
    case 'returned':
      return 'the message back: no queue took it, although it was declared';
    case 'overdue':
      return 'no chance to send it in time';
    case 'unsent':
      return `no way to send it (${brokerText(published.cause)})`;
    case 'unknown':
      if (published.cause === undefined) return 'nothing in time';
      return isNack(published.cause) ? 'a refusal (nack)' : `no answer (${brokerText(published.cause)})`;
  }
}

/** How amqplib reports a nack of the broker. */
function isNack(cause: unknown): boolean {
  return cause instanceof Error && cause.message === 'message nacked';
}
