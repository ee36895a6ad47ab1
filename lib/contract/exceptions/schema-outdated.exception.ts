import { QueueException } from './queue.exception.js';

/**
 * The tables of the queue are missing or older than this code. Names the command to run.
 *
 * @publicApi
 */
export class SchemaOutdatedException extends QueueException {
  readonly code = 'SCHEMA_OUTDATED';
}
