import { QueueException } from './queue.exception.js';

/**
 * A job class, or a queued listener, is declared in a way that cannot work. Raised at decoration or at boot.
 *
 * @publicApi
 */
export class JobDeclarationException extends QueueException {
  readonly code = 'JOB_DECLARATION';
}
