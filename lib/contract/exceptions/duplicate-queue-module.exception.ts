import { QueueException } from './queue.exception.js';

/**
 * An application holds more than one `KinetisQueueModule.forRoot*()`.
 *
 * @publicApi
 */
export class DuplicateQueueModuleException extends QueueException {
  readonly code = 'DUPLICATE_QUEUE_MODULE';
}
