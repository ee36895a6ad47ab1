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
  const most = Math.max(maxAttempts, 1) + allowance;
  if (job.attempts <= most) return null;
  return new MaxAttemptsExceededException(
    `Job ${job.class} (${job.id}) on queue "${job.queue}": expected at most ${most} attempts (${Math.max(maxAttempts, 1)} ` +
      `by its cap, ${allowance} more for workers that ended while running it), came attempt ${job.attempts}. It was not ` +
      'run again. Look for what ends the process (memory, a native crash), then retry it from the failed store.',
  );
}
