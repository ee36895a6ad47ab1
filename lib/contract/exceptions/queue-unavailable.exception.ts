import { QueueException } from './queue.exception.js';

/**
 * A backend needs a package that is not installed.
 *
 * @publicApi
 */
export class QueueUnavailableException extends QueueException {
  readonly code = 'QUEUE_UNAVAILABLE';
}
