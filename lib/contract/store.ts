import type { JobHeader } from './job-header.js';

/** A job on its way into a backend. */
export interface NewJob {
  readonly id: string;
  readonly queue: string;
  readonly header: JobHeader;
  /** The JSON text of the body; a backend stores it as it is. */
  readonly body: string;
  /** Seconds before it may be delivered, 0 for at once; rounded up to what the backend keeps, never down. */
  readonly delaySeconds: number;
}

/** How jobs are stored, beside the jobs themselves. */
export interface StoreOptions {
  /** The caller's open transaction, where the backend has `transactionalPush`. */
  readonly transaction?: unknown;
}

/**
 * What became of one entry of a store.
 * - `applied`: stored, as durable as the server is set up to be.
 * - `duplicate`: certainly not stored, its unique key is held by another job of the queue.
 * - `refused`: certainly not stored; `error` says why.
 * - `unknown`: sent, but no answer came.
 */
export type StoreOutcome =
  | { readonly status: 'applied' }
  | { readonly status: 'duplicate' }
  | { readonly status: 'refused'; readonly error: Error }
  | { readonly status: 'unknown'; readonly error: Error };
