import {
  type BackendFactory,
  describe,
  type FailedJobsOption,
  failedJobsRetention,
  QueueConfigurationException,
} from '../../contract/index.js';
import { MemoryBackend, type MemoryClock } from './memory-backend.js';

/** How the memory backend keeps its jobs. */
export interface MemoryOptions {
  /** How long a reservation lasts, in seconds (90). */
  readonly leaseSeconds?: number;
  /** How long failed jobs are kept. */
  readonly failedJobs?: FailedJobsOption;
  /** Where the time is read; the machine's clock without it. For tests. */
  readonly clock?: MemoryClock;
}

/**
 * Keeps jobs in this process. They are lost with it, and only a worker inside the same application sees them: for
 * tests, and for work that may be lost.
 *
 * @publicApi
 */
export function memory(options: MemoryOptions = {}): BackendFactory {
  const { leaseSeconds = 90, clock = { now: () => Date.now() } } = options;
  if (typeof leaseSeconds !== 'number' || !Number.isFinite(leaseSeconds) || leaseSeconds <= 0) {
    throw new QueueConfigurationException(
      `memory(): leaseSeconds: expected a positive finite number, came ${describe(leaseSeconds)}.`,
    );
  }
  const retention = failedJobsRetention(options.failedJobs, 'memory()');
  return () => new MemoryBackend(leaseSeconds, clock, retention);
}
