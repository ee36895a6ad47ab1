import { JobEvent, type JobEventFields } from './job-event.js';

/**
 * The handler threw with attempts remaining and the backend accepted the release.
 *
 * @publicApi
 */
export class JobReleased extends JobEvent {
  constructor(
    fields: JobEventFields,
    readonly error: unknown,
    readonly delaySeconds: number,
    readonly durationMs: number,
  ) {
    super(fields);
  }
}
