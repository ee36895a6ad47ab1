import { JobEvent } from './job-event.js';

/**
 * A worker reserved the job and is about to run it.
 *
 * @publicApi
 */
export class JobStarted extends JobEvent {}
