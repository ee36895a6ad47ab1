import type { JobInstance } from '../jobs/index.js';

/**
 * How one job is pushed. An option left out takes the job's own, then the default.
 *
 * @publicApi
 */
export interface PushOptions {
  readonly queue?: string;
  /** 0 (the default) or a positive finite number; a fraction is rounded up to what the backend keeps. */
  readonly delaySeconds?: number;
  /** null: the worker's default, even where the job names its own; 0 and 1: a single attempt. */
  readonly maxAttempts?: number | null;
  /** An integer from −100 to 100, higher first. */
  readonly priority?: number;
  /** 1 to 255 characters. While a job of the queue holds the key, a second push with it is refused with null. */
  readonly uniqueKey?: string;
  /** Own string keys and values, 4 KB in all. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** An open transaction of the application, where the backend can join one. */
  readonly transaction?: unknown;
}

/** A job of a bulk push with options of its own. */
export interface JobEntry<J extends JobInstance = JobInstance> extends Omit<PushOptions, 'transaction'> {
  readonly job: J;
}

/** One entry of `pushMany` or of a chain. */
export type PushEntry = JobInstance | JobEntry;

/** `string | null` where a push can be refused as a duplicate, else `string`. */
export type PushResult<J, O> = J extends { uniqueKey(): string }
  ? string | null
  : 'uniqueKey' extends keyof O
    ? string | null
    : string;
