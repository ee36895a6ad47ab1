import { QueueServerException } from './queue-server.exception.js';

/**
 * The request was sent and no answer came: whether the server applied it is unknown. Pushing again may
 * store a second copy.
 *
 * @publicApi
 */
export class OutcomeUnknown extends QueueServerException {
  readonly code = 'QUEUE_OUTCOME_UNKNOWN';
}
