import { QueueException } from './queue.exception.js';

/**
 * A handler ran longer than `timeoutSeconds`.
 *
 * @publicApi
 */
export class JobTimeoutException extends QueueException {
  readonly code = 'JOB_TIMEOUT';
}
