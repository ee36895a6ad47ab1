import { JobEvent, type JobEventFields } from './job-event.js';

/**
 * The handler returned and the backend accepted the ack.
 *
 * @publicApi
 */
export class JobSucceeded extends JobEvent {
  constructor(
    fields: JobEventFields,
    readonly durationMs: number,
  ) {
    super(fields);
  }
}
