import { QueueException } from './queue.exception.js';

/** Why a stored job does not fit today's code. */
export type ReconstructionReason =
  | 'unknown-class'
  | 'missing-argument'
  | 'extra-argument'
  | 'argument-type'
  | 'argument-refused'
  | 'constructor-threw';

/**
 * A stored job decodes, but today's code cannot make its instance: an unknown class, a missing or extra argument, a
 * value that its parameter refuses, a throwing constructor. Never shows a value.
 *
 * @publicApi
 */
export class JobReconstructionException extends QueueException {
  readonly code = 'JOB_RECONSTRUCTION';

  constructor(
    readonly reason: ReconstructionReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
