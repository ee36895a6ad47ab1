import { QueueException } from './queue.exception.js';

/**
 * An argument or option of a queue is not acceptable. Raised before anything is serialized or sent.
 *
 * @publicApi
 */
export class InvalidQueueArgumentException extends QueueException {
  readonly code = 'INVALID_QUEUE_ARGUMENT';
}
