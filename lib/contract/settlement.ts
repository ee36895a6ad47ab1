import type { Failure } from './failure.js';
import type { HeaderChanges } from './job-header.js';
import type { NewJob } from './store.js';

/** What a delivery can ask for. `extend` is no transition; the other four end the delivery. */
export type SettleOperation = 'ack' | 'release' | 'defer' | 'fail' | 'extend';

/** Identifies one delivery of a job to the backend that made it. Opaque to everything above the backend. */
export type Receipt = unknown;

/**
 * The job is done and leaves the backend; `followUps` are stored in the same step where `atomicFollowUps`. They never
 * have a unique key.
 */
export interface AckSettlement {
  readonly operation: 'ack';
  readonly receipt: Receipt;
  readonly followUps: readonly NewJob[];
}

/**
 * The job goes back to its queue with `changes` made to its header, to be delivered after `delaySeconds`, and at once
 * with 0. A release without changes gives the delivery back and spends nothing, where `freeDeferral`.
 */
export interface ReturnSettlement {
  readonly operation: 'release' | 'defer';
  readonly receipt: Receipt;
  readonly changes: HeaderChanges;
  readonly delaySeconds: number;
}

/** The job is given up on: it goes to the failed store with `failure` where there is one, else it is removed. */
export interface FailSettlement {
  readonly operation: 'fail';
  readonly receipt: Receipt;
  readonly failure: Failure;
}

/** The lease ends `seconds` from now, also when that is sooner. Keeps the receipt. */
export interface ExtendSettlement {
  readonly operation: 'extend';
  readonly receipt: Receipt;
  readonly seconds: number;
}

/** What a worker asks of a backend for one delivery. */
export type Settlement = AckSettlement | ReturnSettlement | FailSettlement | ExtendSettlement;

/**
 * What became of one settlement.
 * - `applied`: answered by the server.
 * - `stale`: the delivery was no longer current, nothing was written. With `fencedSettlement` always answered so, else
 *   only where the backend knows it for certain.
 * - `refused`: certainly not applied, for a reason that passes (a deadlock, a connection that others hold); it may be
 *   tried again.
 * - `unknown`: sent, but no answer came, or it could not be sent at all, or one of its two steps was taken and the other
 *   was not: the caller may not assume either way. The backend sees to it that the job is not lost.
 */
export type SettleOutcome =
  | { readonly status: 'applied' }
  | { readonly status: 'stale' }
  | { readonly status: 'refused'; readonly error: Error }
  | { readonly status: 'unknown'; readonly error: Error };
