/** Grows from `base` seconds by `factor` an attempt up to `max`; `jitter` (0…1) takes away up to that share at random. */
export interface ExponentialBackoff {
  readonly base: number;
  readonly factor?: number;
  readonly max?: number;
  readonly jitter?: number;
}

/**
 * Seconds to wait after a failed attempt: a number, a list by attempt (the last repeats), an exponential rule, or a
 * function of the attempt (from 1), the error and the job.
 *
 * @publicApi
 */
export type Backoff<J = object> =
  number | readonly number[] | ExponentialBackoff | ((attempt: number, error: unknown, job: J) => number);
