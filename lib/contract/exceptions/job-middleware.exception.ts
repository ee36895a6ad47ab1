import { QueueException } from './queue.exception.js';

/**
 * A job middleware broke its contract: it ended without calling `next()`, or called it twice.
 *
 * @publicApi
 */
export class JobMiddlewareException extends QueueException {
  readonly code = 'JOB_MIDDLEWARE';
}
