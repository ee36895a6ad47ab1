import type { FailureCause } from '../contract/index.js';
import { JobEvent, type JobEventFields } from './job-event.js';

/**
 * The job was given up on and the backend accepted that. `args` are redacted.
 *
 * @publicApi
 */
export class JobFailedPermanently extends JobEvent {
  constructor(
    fields: JobEventFields,
    readonly error: unknown,
    readonly cause: FailureCause,
    readonly args: Readonly<Record<string, unknown>>,
    readonly durationMs: number,
  ) {
    super(fields);
  }
}
