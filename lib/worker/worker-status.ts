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
}
