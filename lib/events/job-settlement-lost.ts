import type { SettleOperation, StaleJobHandleException } from '../contract/index.js';
import { JobEvent, type JobEventFields } from './job-event.js';

/**
 * The backend answered that the delivery was no longer current: nothing was written, another worker holds or has
 * settled the job. `error` is the job's own, null where the handler returned.
 *
 * @publicApi
 */
export class JobSettlementLost extends JobEvent {
  constructor(
    fields: JobEventFields,
    readonly operation: SettleOperation,
    readonly stale: StaleJobHandleException,
    readonly error: unknown,
  ) {
    super(fields);
  }
}
