import type { DeliveryOutcome } from '../contract/index.js';
import { type JobDefinition, secretsOf } from '../jobs/index.js';
import type { RunningDelivery } from './running-delivery.js';
import type { Settled } from './settlement-sender.js';
import type { Transition } from './transition.js';

/** How a delivery ended: as its server answered, or by a defect, after which nobody knows what the backend holds. */
export type Ending = Settled | { readonly status: 'unknown'; readonly failure: unknown };

const BECAME = {
  ack: 'succeeded',
  release: 'released',
  defer: 'deferred',
  postpone: 'deferred',
  fail: 'failed',
  'give-back': 'given-back',
} as const satisfies Record<Transition['operation'], DeliveryOutcome['became']>;

/** What telemetry is told of a delivery that has ended. */
export function deliveryOutcome(
  { job }: RunningDelivery,
  definition: JobDefinition | null,
  transition: Transition,
  ending: Ending,
): DeliveryOutcome {
  return {
    became: BECAME[transition.operation],
    settlement: ending.status,
    cause: transition.operation === 'fail' ? transition.cause : null,
    jobFailed: hasFailed(transition),
    secrets: () => secretsOf(definition, job.args),
  };
}

/** The job's own error where it failed, else that of a settlement that went wrong. */
export function spanErrorOf(transition: Transition, ending: Ending): unknown {
  if (hasFailed(transition)) return transition.error;
  if (ending.status === 'stale') return ending.stale;
  return ending.status === 'unknown' ? ending.failure : undefined;
}

/** A job that asks to be deferred, and one that a forced stop cuts short, have not failed. */
function hasFailed(
  transition: Transition,
): transition is Extract<Transition, { operation: 'release' | 'postpone' | 'fail' }> {
  const { operation } = transition;
  return operation === 'release' || operation === 'postpone' || operation === 'fail';
}
