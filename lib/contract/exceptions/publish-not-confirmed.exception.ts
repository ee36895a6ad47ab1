import { QueueServerException } from './queue-server.exception.js';

/**
 * A broker did not acknowledge a publish (returned, nacked, cancelled, or no answer in time): whether the
 * message was queued is unknown.
 *
 * @publicApi
 */
export class PublishNotConfirmedException extends QueueServerException {
  readonly code = 'PUBLISH_NOT_CONFIRMED';
}
