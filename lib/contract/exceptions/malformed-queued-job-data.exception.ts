import { QueueException } from './queue.exception.js';

/**
 * Stored bytes are no envelope. Only the decoder raises it; it never shows a stored value.
 *
 * @publicApi
 */
export class MalformedQueuedJobDataException extends QueueException {
  readonly code = 'MALFORMED_QUEUED_JOB_DATA';
}
