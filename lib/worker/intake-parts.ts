import type { QueuedJob } from '../contract/index.js';
import type { QueueConnection, ReserveAnswer } from '../queue/index.js';
import type { Outage } from './outage.js';
import type { RunLimits } from './run-limits.js';
import type { RunningDeliveries } from './running-deliveries.js';
import type { WorkerOptions } from './worker-options.js';

/** What the intake of a run works with. */
export interface IntakeParts {
  readonly connection: QueueConnection;
  readonly options: WorkerOptions;
  readonly running: RunningDeliveries;
  readonly outage: Outage;
  readonly limits: RunLimits;
  /** Ends looking for work. What was reserved by then is still taken. */
  readonly signal: AbortSignal;
  /** The backend was reached, for the first time. */
  readonly connected: () => void;
  /**
   * Takes one answer and returns at once. `reservedAt` is when the reserve was sent, or when the server's own delivery
   * arrived, by `performance.now()`.
   */
  readonly take: (answer: ReserveAnswer, reservedAt: number) => void;
  /** Returns a job that was not begun to its queue, and comes back at once. */
  readonly giveBack: (job: QueuedJob, reservedAt: number) => void;
}

/** One way to come by deliveries. */
export interface DeliverySource {
  /** Takes what there is, or waits for it. True when the run is at its end. */
  turn(): Promise<boolean>;
}
