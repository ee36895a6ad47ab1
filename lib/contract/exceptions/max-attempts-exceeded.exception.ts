import { QueueException } from './queue.exception.js';

/**
 * A job ended its worker more often than the crash allowance permits, and was failed without running.
 *
 * @publicApi
 */
export class MaxAttemptsExceededException extends QueueException {
  readonly code = 'MAX_ATTEMPTS_EXCEEDED';
}
