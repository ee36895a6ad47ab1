import {
  type Capabilities,
  DeferJobException,
  FailJobException,
  type FailureCause,
  JobReconstructionException,
  JobTimeoutException,
} from '../contract/index.js';
import type { JobDefinition } from '../jobs/index.js';
import { checkedDelay, type Delay, delayAfter } from './delay-after.js';
import { graceOf } from './deploy-grace.js';
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

export interface VerdictRules {
  readonly capabilities: Capabilities;
  readonly schemaGraceSeconds: number;
}

/** What becomes of a delivery that threw. */
export function verdictOn(delivery: RunningDelivery, thrown: Thrown, rules: VerdictRules): Verdict {
  const { error } = thrown;
  const { job } = delivery;
  const longest = rules.capabilities.maxReleaseDelaySeconds;
  if (error instanceof FailJobException) return failed(error, 'fatal');
  if (error instanceof DeferJobException) {
    return returned('defer', error, checkedDelay(error.seconds, longest, 'DeferJobException'));
  }
  // The handler was told to end; what it threw says nothing about the job. That its time was over does.
  if (delivery.stopReason !== null && !isTimeout(delivery, error)) {
    return { transition: { operation: 'give-back', error }, warning: null };
  }
  const grace = rebuildFailureOf(thrown) === null ? null : graceOf(job, rules);
  if (grace !== null) return { transition: { operation: 'postpone', error, ...grace }, warning: null };
  if (job.attempts >= delivery.maxAttempts) return failed(error, causeOf(thrown));
  const failedAttempt = { attempt: job.attempts, error, job: thrown.job };
  return returned('release', error, delayAfter(thrown.definition?.backoff ?? 0, failedAttempt, longest));
}

function isTimeout(delivery: RunningDelivery, error: unknown): boolean {
  return error instanceof JobTimeoutException && error === delivery.timeout;
}

/** Why today's code could not make the job; null where it could. */
function rebuildFailureOf({ error, job }: Thrown): JobReconstructionException | null {
  return job === null && error instanceof JobReconstructionException ? error : null;
}

function causeOf(thrown: Thrown): FailureCause {
  return rebuildFailureOf(thrown)?.reason === 'unknown-class' ? 'unknown-class' : 'exhausted';
}

function failed(error: unknown, cause: FailureCause): Verdict {
  return { transition: { operation: 'fail', error, cause }, warning: null };
}

function returned(operation: 'release' | 'defer', error: unknown, delay: Delay): Verdict {
  return { transition: { operation, error, delaySeconds: delay.delaySeconds }, warning: delay.warning };
}
