import { QueueException } from './queue.exception.js';

/**
 * A push waited too long for a connection that a transaction of this application holds: nothing was stored.
 * Hand the transaction over with the `transaction` option.
 *
 * @publicApi
 */
export class TransactionRequiredException extends QueueException {
  readonly code = 'TRANSACTION_REQUIRED';
}
