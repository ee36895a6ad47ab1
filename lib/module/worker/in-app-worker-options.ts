/**
 * A worker inside the application. What is left out comes from the environment, then from the defaults of a worker
 * process.
 *
 * @publicApi
 */
export interface InAppWorkerOptions {
  /** The connection to serve (`default`). */
  readonly connection?: string;
  /** In the order in which they are swept; without it every queue that a listed job of the connection names. */
  readonly queues?: readonly string[];
  /** Jobs at a time (1). */
  readonly concurrency?: number;
  /** Attempts of a job that names no number of its own (0, a single attempt). */
  readonly maxAttempts?: number;
  /** Longest look for work before the loop turns, in seconds (5). */
  readonly pollTimeoutSeconds?: number;
  /** How long running jobs may take to finish when the application closes, in seconds (25). */
  readonly shutdownTimeoutSeconds?: number;
  /** Failures in a row of reaching the server after which the worker stops (no limit). */
  readonly maxConnectionFailures?: number;
  /** The worker's name in log lines and events (host and process id). */
  readonly name?: string;
}
