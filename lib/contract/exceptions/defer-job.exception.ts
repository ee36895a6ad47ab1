import { QueueException } from './queue.exception.js';

/**
 * Thrown by a handler that cannot do its work yet: the job comes back after `seconds`, before everything else on its
 * queue, and spends no attempt where the backend allows that.
 *
 * @publicApi
 */
export class DeferJobException extends QueueException {
  readonly code = 'DEFER_JOB';

  constructor(
    readonly seconds: number,
    reason = 'the job asked to be deferred',
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}
