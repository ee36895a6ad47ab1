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
  /**
   * Whether leases are renewed while jobs run (true). Without it a job that outlasts its lease may run elsewhere at the
   * same time; its signal aborts when the lease ends either way.
   */
  readonly renewLeases?: boolean;
  /** How long a handler whose `timeoutSeconds` have passed may take to end before its slot is given up, in seconds (5). */
  readonly timeoutGraceSeconds?: number;
  /** Attempts beyond its cap for a job whose workers end while they run it (3); Infinity: any number. */
  readonly crashAllowance?: number;
  /**
   * How long a job that today's code cannot rebuild waits, without spending an attempt, in seconds (600); 0: its failure
   * at once.
   */
  readonly schemaGraceSeconds?: number;
  /** The worker's name in log lines and events (host and process id). */
  readonly name?: string;
}
