import type { SettleOperation } from '../settlement.js';
import { QueueException } from './queue.exception.js';

/**
 * A settlement named a delivery that is no longer current: nothing was written.
 *
 * @publicApi
 */
export class StaleJobHandleException extends QueueException {
  readonly code = 'STALE_JOB_HANDLE';

  constructor(
    readonly operation: SettleOperation,
    readonly queue: string,
    readonly jobId: string | null = null,
  ) {
    super(
      `Expected ${operation}() to name the current delivery of job ${jobId ?? '(undecodable)'} on queue "${queue}", ` +
        'but that delivery has ended: the job was settled, or its lease ran out or, where there are no leases, its ' +
        'channel was closed, and another worker may hold it. Nothing was written. Do not repeat it; keep the event ' +
        'loop free, and where leases run out raise leaseSeconds.',
    );
  }
}
