import { QueueException } from './queue.exception.js';

/**
 * `ClearableQueue` was resolved for a backend that cannot clear.
 *
 * @publicApi
 */
export class QueueNotClearableException extends QueueException {
  readonly code = 'QUEUE_NOT_CLEARABLE';
}
