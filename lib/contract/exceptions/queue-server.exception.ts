import { QueueException } from './queue.exception.js';

/**
 * Trouble between this process and the server of a backend, as opposed to a mistake in code or configuration.
 * A worker reports it, waits and goes on; every other exception of a backend stops it.
 *
 * @publicApi
 */
export abstract class QueueServerException extends QueueException {}
