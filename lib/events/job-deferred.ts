import { JobEvent, type JobEventFields } from './job-event.js';

/**
 * The delivery went back to its queue without spending an attempt: the handler asked for it, or today's code could
 * not rebuild the job yet (`error` says which).
 *
 * @publicApi
 */
export class JobDeferred extends JobEvent {
  constructor(
    fields: JobEventFields,
    readonly error: unknown,
    readonly delaySeconds: number,
  ) {
    super(fields);
  }
}
