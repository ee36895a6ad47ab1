import type { FailureCause, SettleOperation } from '../contract/index.js';

/** What a delivery becomes, decided once. `error` is what the job threw. */
export type Transition =
  | { readonly operation: 'ack' }
  | { readonly operation: 'release' | 'defer'; readonly error: unknown; readonly delaySeconds: number }
  | { readonly operation: 'fail'; readonly error: unknown; readonly cause: FailureCause }
  /** Today's code cannot rebuild it: it comes back without spending an attempt, for the `graceRounds`th time. */
  | {
      readonly operation: 'postpone';
      readonly error: unknown;
      readonly delaySeconds: number;
      readonly graceRounds: number;
    }
  /** As if it had never been delivered: the worker was forced to stop, or ended before the job began. */
  | { readonly operation: 'give-back'; readonly error: unknown };

export const ACK: Transition = { operation: 'ack' };

/** The job's own error, null where the handler returned. */
export function jobErrorOf(transition: Transition): unknown {
  return transition.operation === 'ack' ? null : transition.error;
}

/** What the backend is asked for. */
export function settleOperationOf({ operation }: Transition): SettleOperation {
  return operation === 'give-back' || operation === 'postpone' ? 'release' : operation;
}
