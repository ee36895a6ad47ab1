/** How failed jobs are kept: with an index, only by reading the store from its start, or not at all. */
export type FailedJobsSupport = 'yes' | 'scan' | 'no';

/** How finely a backend orders jobs by priority: every value of −100…100, a few levels, or not at all. */
export type PrioritySupport = 'full' | 'levels' | 'none';

/**
 * What a backend can do, as plain data. The queue refuses an option that the backend lacks before any I/O, the
 * conformance suite chooses its cases by it, and docs/backends.md is generated from it.
 *
 * @publicApi
 */
export interface Capabilities {
  /** Accepted jobs outlive the process. */
  readonly durable: boolean;
  /** Hands out deliveries to workers. False only where a push runs the job itself (sync). */
  readonly delivers: boolean;
  /** A settlement by a delivery that is no longer current is told apart, answered `stale`, and changes nothing. */
  readonly fencedSettlement: boolean;
  readonly priorityLevels: PrioritySupport;
  readonly unique: boolean;
  /** Longest delay of a push in seconds; Infinity where there is no bound. */
  readonly maxPushDelaySeconds: number;
  /** Longest delay of a release or deferral in seconds; longer ones are cut and warned about. */
  readonly maxReleaseDelaySeconds: number;
  /** The smallest step of a delay that the backend keeps, in seconds; delays are rounded up to it. */
  readonly delayGranularitySeconds: number;
  /** Counts are exact at the instant they are read, not estimates. */
  readonly exactCounts: boolean;
  readonly clear: boolean;
  readonly failedJobs: FailedJobsSupport;
  readonly browse: boolean;
  /** A reservation is a lease that can be extended; where false, nothing expires while the worker is connected. */
  readonly extend: boolean;
  readonly pause: boolean;
  readonly transactionalPush: boolean;
  readonly listQueues: boolean;
  /** A delivery that ended with its worker's death raises `attempts`. */
  readonly countsCrashes: boolean;
  /** A job can be given back without spending an attempt. */
  readonly freeDeferral: boolean;
  /** A job released without delay comes before every job that was not yet delivered. */
  readonly keepsPlace: boolean;
  /** A chain's next job, or any follow-up, is stored in the same step as the ack. */
  readonly atomicFollowUps: boolean;
  /** `pushMany` stores all entries in one step or none. */
  readonly atomicPushMany: boolean;
}
