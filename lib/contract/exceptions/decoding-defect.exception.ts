import { QueueException } from './queue.exception.js';

/**
 * The decoder itself failed (`cause`). The message was left for recovery and the worker stops.
 *
 * @publicApi
 */
export class DecodingDefectException extends QueueException {
  readonly code = 'DECODING_DEFECT';
}
