import type { Backoff } from './backoff.js';

/**
 * What a job class declares. Everything has a default.
 *
 * @publicApi
 */
export interface JobOptions {
  /** The name on the wire; the class's name without it. Give one to keep it through renames and minifiers. */
  readonly name?: string;
  /** Former wire names that are still answered to. */
  readonly aliases?: readonly string[];
  /** Where a push without `queue` goes: 1 to 80 of A-Z a-z 0-9 _ -; `default` without it. */
  readonly queue?: string;
  /** The connection that the job belongs to; without it whichever queue pushes it. */
  readonly connection?: string;
  /** An integer of 0 or more, or null for the worker's default. 0 and 1: a single attempt. */
  readonly maxAttempts?: number | null;
  /** Seconds between attempts; 0 without it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the job's class is known only where this is applied
  readonly backoff?: Backoff<any>;
  /** An integer from −100 to 100, higher first; 0 without it. */
  readonly priority?: number;
  /** How long a worker may be silent before another takes the job over, in seconds; the connection's without it. */
  readonly leaseSeconds?: number;
  /** How long the handler may take, in seconds; no bound without it. */
  readonly timeoutSeconds?: number;
  /**
   * The properties that hold the constructor's arguments, in the parameters' order. Needed only where they cannot be
   * read from the constructor itself.
   */
  readonly args?: readonly string[];
  /** Tokens for the parameters of `handle()`, in order, for toolchains that emit no types. */
  readonly inject?: readonly unknown[];
}

/** Every option, for checks. */
export const JOB_OPTIONS: { readonly [Option in keyof JobOptions]-?: true } = {
  name: true,
  aliases: true,
  queue: true,
  connection: true,
  maxAttempts: true,
  backoff: true,
  priority: true,
  leaseSeconds: true,
  timeoutSeconds: true,
  args: true,
  inject: true,
};
