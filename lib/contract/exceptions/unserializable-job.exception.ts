import { QueueException } from './queue.exception.js';

/**
 * A constructor argument has no wire form. Nothing was sent. Names the argument and the place, never the
 * value.
 *
 * @publicApi
 */
export class UnserializableJobException extends QueueException {
  readonly code = 'UNSERIALIZABLE_JOB';
}
