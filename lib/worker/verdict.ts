import {
  type Capabilities,
  DeferJobException,
  FailJobException,
  type FailureCause,
  JobReconstructionException,
} from '../contract/index.js';
import type { JobDefinition } from '../jobs/index.js';
import { checkedDelay, type Delay, delayAfter } from './delay-after.js';
import type { RunningDelivery } from './running-delivery.js';
import type { Transition } from './transition.js';

/** What a delivery threw, and how far it had come. */
export interface Thrown {
  readonly error: unknown;
  readonly definition: JobDefinition | null;
  /** null while the job was not rebuilt: then the error is of today's code or of the scope, not of the handler. */
  readonly job: object | null;
}

/** A transition, and what was wrong with a rule that led to it. */
export interface Verdict {
  readonly transition: Transition;
  readonly warning: string | null;
}

/** What becomes of a delivery that threw. */
export function verdictOn(delivery: RunningDelivery, thrown: Thrown, capabilities: Capabilities): Verdict {
  const { error } = thrown;
  const longest = capabilities.maxReleaseDelaySeconds;
  if (error instanceof FailJobException) return failed(error, 'fatal');
  if (error instanceof DeferJobException) {
    return returned('defer', error, checkedDelay(error.seconds, longest, 'DeferJobException'));
  }
  // The handler was told to end; what it threw says nothing about the job.
  if (delivery.abortReason !== null) {
    return { transition: { operation: 'give-back', error }, warning: null };
  }
  // The grace of a deploy belongs here: a job that today's code cannot rebuild comes back without spending an attempt.
  if (delivery.job.attempts >= delivery.maxAttempts) return failed(error, causeOf(thrown));
  const failedAttempt = { attempt: delivery.job.attempts, error, job: thrown.job };
  return returned('release', error, delayAfter(thrown.definition?.backoff ?? 0, failedAttempt, longest));
}

function causeOf({ error, job }: Thrown): FailureCause {
  const unknown =
    job === null && error instanceof JobReconstructionException && error.reason === 'unknown-class';
  return unknown ? 'unknown-class' : 'exhausted';
}

function failed(error: unknown, cause: FailureCause): Verdict {
  return { transition: { operation: 'fail', error, cause }, warning: null };
}

function returned(operation: 'release' | 'defer', error: unknown, delay: Delay): Verdict {
  return { transition: { operation, error, delaySeconds: delay.delaySeconds }, warning: delay.warning };
}
