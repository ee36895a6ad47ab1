/**
 * How a connection is checked.
 *
 * @publicApi
 */
export interface ConnectionCheckOptions {
  /** Which connection; `default` without it. */
  readonly connection?: string;
  /** How long the backend may take to answer, in milliseconds (1000). */
  readonly timeoutMs?: number;
}

/**
 * When a queue counts as too far behind. At least one limit is needed.
 *
 * @publicApi
 */
export interface BacklogCheckOptions extends ConnectionCheckOptions {
  readonly queue: string;
  /** The most jobs that may be waiting for a worker. Delayed jobs wait for their time, so they are shown, not judged. */
  readonly maxWaiting?: number;
  /** The longest that a job may have been waiting, in seconds. */
  readonly maxOldestSeconds?: number;
}
