import { QueueException } from './queue.exception.js';

/**
 * A parameter of `handle()` names nothing that the container can resolve.
 *
 * @publicApi
 */
export class UnresolvableJobParameterException extends QueueException {
  readonly code = 'UNRESOLVABLE_JOB_PARAMETER';
}
