import type { FailureCause } from '../../contract/index.js';

interface DeliveredJob {
  /** The job's wire name. */
  readonly job: string;
  readonly id: string;
  readonly queue: string;
  readonly connection: string;
  /** Which attempt it was, from 1. */
  readonly attempts: number;
}

/**
 * What became of one delivery: the handler returned (`acked`); it threw, and the job comes back (`released`) or is given
 * up on (`failed`); or it asked to come back without spending an attempt (`deferred`). `error` is what was thrown.
 *
 * @publicApi
 */
export type JobOutcome =
  | (DeliveredJob & { readonly outcome: 'acked' })
  | (DeliveredJob & {
      readonly outcome: 'released' | 'deferred';
      readonly delaySeconds: number;
      readonly error: unknown;
    })
  | (DeliveredJob & {
      readonly outcome: 'failed';
      readonly cause: FailureCause;
      readonly error: unknown;
    });
