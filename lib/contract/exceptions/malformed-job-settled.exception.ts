import type { MalformedQueuedJobDataException } from './malformed-queued-job-data.exception.js';
import { QueueException } from './queue.exception.js';

/**
 * What became of the bytes of a malformed item. `dead-letter`: they are kept where the backend cannot list them. `stale`: another process took it first. `unsettled`: the settlement had
 * no good answer, the item stays reserved until its lease ends and then comes again.
 */
export type MalformedDisposition = 'failed-store' | 'dead-letter' | 'removed' | 'stale' | 'unsettled';

/**
 * A reserved item did not decode and was taken out of its queue. Counts as one processed item.
 *
 * @publicApi
 */
export class MalformedJobSettledException extends QueueException {
  readonly code = 'MALFORMED_JOB_SETTLED';

  constructor(
    readonly queue: string,
    readonly disposition: MalformedDisposition,
    override readonly cause: MalformedQueuedJobDataException,
    /** Why the settlement failed, null unless `unsettled`. */
    readonly settlementError: Error | null = null,
  ) {
    const what = {
      'failed-store': 'its bytes were moved to the failed store',
      'dead-letter':
        'its bytes went to the dead-letter queue, which can be read by the server’s own tools only',
      removed: 'it was removed, since this backend has no failed store to look into',
      stale: 'another process took it before it could be removed',
      unsettled: 'it could not be taken out of the queue and comes again when its lease ends',
    }[disposition];
    super(`An item on queue "${queue}" is no readable job; ${what}. ${cause.message}`, { cause });
  }
}
