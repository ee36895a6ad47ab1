import { MaxAttemptsExceededException } from '../contract/index.js';
import type { RunningDelivery } from './running-delivery.js';

/**
 * Refuses a job that was delivered more often than its cap and the allowance for crashes permit: its deliveries ended
 * with their workers, so that no throw of its handler was ever counted against the cap.
 */
export function crashLimitOf(
  { job, maxAttempts }: RunningDelivery,
  allowance: number,
): MaxAttemptsExceededException | null {
  const most = mostAttempts(maxAttempts, allowance);
  if (job.attempts <= most) return null;
  return new MaxAttemptsExceededException(
    `Job ${job.class} (${job.id}) on queue "${job.queue}": expected at most ${most} attempts (${Math.max(maxAttempts, 1)} ` +
      `by its cap, ${allowance} more for workers that ended while running it), came attempt ${job.attempts}. It was not ` +
      'run again. Look for what ends the process (memory, a native crash), then retry it from the failed store.',
  );
}

/**
 * How many more deliveries a job may get whose earlier ones certainly ended without a settlement; null where that is not
 * certain. A handler that throws ends a job at its cap, so that only a delivery beyond it tells; up to the cap one that
 * was taken over looks like one that was released.
 */
export function attemptsLeftOf({ job, maxAttempts }: RunningDelivery, allowance: number): number | null {
  if (job.attempts <= Math.max(maxAttempts, 1)) return null;
  return mostAttempts(maxAttempts, allowance) - job.attempts;
}

function mostAttempts(maxAttempts: number, allowance: number): number {
  return Math.max(maxAttempts, 1) + allowance;
}
