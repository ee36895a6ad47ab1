import type { SettleOperation } from '../contract/index.js';
import { JobEvent, type JobEventFields } from './job-event.js';

/**
 * A settlement got no answer: whether it was applied is unknown, the job may run again. `error` is the job's own,
 * null where the handler returned.
 *
 * @publicApi
 */
export class JobSettlementUnknown extends JobEvent {
  constructor(
    fields: JobEventFields,
    readonly operation: SettleOperation,
    readonly failure: Error,
    readonly error: unknown,
  ) {
    super(fields);
  }
}
