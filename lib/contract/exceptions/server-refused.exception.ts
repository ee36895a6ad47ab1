import { QueueServerException } from './queue-server.exception.js';

/**
 * The server answered without applying the request, for a reason that passes (deadlock, out of memory,
 * read-only, loading, lock wait).
 *
 * @publicApi
 */
export class ServerRefused extends QueueServerException {
  readonly code = 'QUEUE_SERVER_REFUSED';
}
