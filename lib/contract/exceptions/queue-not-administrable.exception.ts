import { QueueException } from './queue.exception.js';

/**
 * `QueueAdmin`, or one of its operations, was asked of a backend that has no such facility.
 *
 * @publicApi
 */
export class QueueNotAdministrableException extends QueueException {
  readonly code = 'QUEUE_NOT_ADMINISTRABLE';
}
