import { QueueException } from './queue.exception.js';

/**
 * The reason of a delivery's signal when its lease is lost: the backend said so when it was to be renewed (`cause` is
 * the stale answer), or a full lease has passed since a renewal was last answered. Another worker may run the job.
 *
 * @publicApi
 */
export class LeaseLostException extends QueueException {
  readonly code = 'LEASE_LOST';
}
