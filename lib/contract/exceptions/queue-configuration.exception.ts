import { QueueException } from './queue.exception.js';

/**
 * The module, an environment variable or a flag is not acceptable.
 *
 * @publicApi
 */
export class QueueConfigurationException extends QueueException {
  readonly code = 'QUEUE_CONFIGURATION';
}
