import { QueueServerException } from './queue-server.exception.js';

/**
 * The request was never sent: nothing was stored and nothing changed. Safe to try again.
 *
 * @publicApi
 */
export class ConnectionFailed extends QueueServerException {
  readonly code = 'QUEUE_CONNECTION_FAILED';
}
