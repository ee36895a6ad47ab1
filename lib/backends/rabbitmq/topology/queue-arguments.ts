import { NO_DELIVERY_LIMIT } from './broker-limits.js';
import type { QueueArguments } from './declarations.js';
import type { QueueType } from './topology-settings.js';

/** Which kind of queue. Always said: a virtual host may have a default of its own. */
export function typeArguments(queueType: QueueType): QueueArguments {
  if (queueType === 'classic') return { 'x-queue-type': 'classic' };
  return { 'x-queue-type': 'quorum', 'x-delivery-limit': NO_DELIVERY_LIMIT };
}

/**
 * Where messages go that expire. A classic queue hands them over without waiting for an answer; a quorum queue keeps
 * each until it has arrived, which it only does when it refuses what is too much instead of dropping it.
 */
export function deadLetterArguments(
  queueType: QueueType,
  to: { readonly exchange: string; readonly routingKey?: string },
): QueueArguments {
  return {
    'x-dead-letter-exchange': to.exchange,
    ...(to.routingKey === undefined ? {} : { 'x-dead-letter-routing-key': to.routingKey }),
    ...(queueType === 'quorum'
      ? { 'x-dead-letter-strategy': 'at-least-once', 'x-overflow': 'reject-publish' }
      : {}),
  };
}
