import { QueueException } from './queue.exception.js';

/**
 * `QueueConsumer` or a worker was asked of a backend that hands out no deliveries (sync).
 *
 * @publicApi
 */
export class QueueNotConsumableException extends QueueException {
  readonly code = 'QUEUE_NOT_CONSUMABLE';
}
