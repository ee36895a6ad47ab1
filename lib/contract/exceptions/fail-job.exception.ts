import { QueueException } from './queue.exception.js';

/**
 * Thrown by a handler: the job fails for good at once, whatever attempts remain.
 *
 * @publicApi
 */
export class FailJobException extends QueueException {
  readonly code = 'FAIL_JOB';
}
