/** A delivery that runs now, as logs and health answers show it: nothing of its arguments. */
export interface RunningJob {
  /** The wire name of its class. */
  readonly job: string;
  readonly id: string;
  readonly queue: string;
  readonly runningSeconds: number;
}

/** What a health check asks of a worker. */
export interface WorkerStatus {
  /** Milliseconds since the loop turned; 0 while it only waits for running jobs, and once it has ended. */
  readonly sinceLastTurnMs: number;
  /** How long one turn may look for work. */
  readonly pollTimeoutSeconds: number;
  /** The backend was reached, and answered when it was last asked. */
  readonly reached: boolean;
  /** It takes no more work. */
  readonly stopping: boolean;
  /** Deliveries that run now. */
  readonly running: number;
  /** Those deliveries, the one that has run longest first. */
  readonly jobs: readonly RunningJob[];
}
