/** How failed jobs are kept: with an index, only by reading the store from its start, or not at all. */
export type FailedJobsSupport = 'yes' | 'scan' | 'no';

/**
 * How finely a backend orders jobs by priority: every value of −100…100, a few levels, or not at all. Levels are three
 * at least: −100, 0 and 100 never share one, values between them may; what is never swapped is a higher level and a
 * lower one. A deferral is above every level.
 */
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
  /**
   * Each settlement by a delivery that is no longer current is told apart, answered `stale`, and changes nothing. Where
   * false it may be answered `applied`, and may even reach the job's later delivery; `stale` is answered where the
   * backend happens to know (a closed channel).
   */
  readonly fencedSettlement: boolean;
  readonly priorityLevels: PrioritySupport;
  /**
   * A second job with a key that the queue holds is refused. Held from the store until ack, fail, clear or removal, also
   * while delayed or reserved.
   */
  readonly unique: boolean;
  /** Longest delay of a push in seconds; Infinity where there is no bound. */
  readonly maxPushDelaySeconds: number;
  /** Longest delay of a release or deferral in seconds; longer ones are cut and warned about. */
  readonly maxReleaseDelaySeconds: number;
  /** The smallest step of a delay that the backend keeps, in seconds; delays are rounded up to it. */
  readonly delayGranularitySeconds: number;
  /**
   * Every count is known, and exact at the instant it is read. Where false a count may be an estimate that comes right
   * in time, or null.
   */
  readonly exactCounts: boolean;
  readonly clear: boolean;
  readonly failedJobs: FailedJobsSupport;
  readonly browse: boolean;
  /**
   * A reservation is a lease that can be extended. Where false nothing expires while the worker is connected: a delivery
   * is lost with its channel, and `ReservedItem.lost` tells so.
   */
  readonly extend: boolean;
  readonly pause: boolean;
  readonly transactionalPush: boolean;
  readonly listQueues: boolean;
  /**
   * A delivery that ended with its worker's death raises `attempts`, and nothing that is free does: attempts beyond a
   * cap are deaths.
   */
  readonly countsCrashes: boolean;
  /**
   * A job can be given back, with the changes that a worker makes to its header, without spending an attempt. Where
   * false the store counts deliveries itself: each is an attempt, whatever it came to, and `deferrals`, `graceRounds`
   * and `rank` are not kept.
   */
  readonly freeDeferral: boolean;
  /**
   * Within one priority, jobs pushed without a delay come oldest first. Where false that is only roughly so, and a sweep
   * may find less than there is.
   */
  readonly keepsOrder: boolean;
  /** A job released without delay comes before every job that was not yet delivered. */
  readonly keepsPlace: boolean;
  /** A chain's next job, or any follow-up, is stored in the same step as the ack: on any queue, or only on the same. */
  readonly atomicFollowUps: boolean | 'same-queue';
  /**
   * `store` stores all entries in one step or none: when one is refused, each is answered `refused`. A duplicate is no
   * refusal: it is answered by itself, and the others are stored. `same-queue`: that holds for the entries of each queue
   * by themselves.
   */
  readonly atomicPushMany: boolean | 'same-queue';
  /** The server can send items to a worker that watches one queue, up to a number that are unsettled. */
  readonly pushDelivery: boolean;
}
