import { canBrowse, canPause, isClearing, keepsFailedJobs, type QueueBackend } from '../contract/index.js';

/** What of a backend's queues a board can do nothing about, in sentences; empty where it can do everything. */
export function sayLimits(backend: QueueBackend): readonly string[] {
  const { delivers, exactCounts } = backend.capabilities;
  if (!delivers) return ['A push runs the job itself, so nothing is ever stored.'];
  const limits: string[] = [];
  if (!canBrowse(backend)) {
    limits.push(
      'Jobs that wait or run are counted, not listed: they cannot be looked at, removed or promoted.',
    );
  }
  if (!exactCounts) limits.push('Numbers are estimates, 0 where nothing is known.');
  if (!keepsFailedJobs(backend)) limits.push('Failed jobs cannot be listed.');
  else if (backend.capabilities.failedJobs === 'scan') {
    limits.push('Failed jobs are listed oldest first, up to 1000.');
  }
  if (!canPause(backend)) limits.push('It cannot be paused.');
  if (!isClearing(backend)) limits.push('It cannot be emptied.');
  return limits;
}

/** Nothing on a board could change anything. */
export function isOnlyWatched(backend: QueueBackend): boolean {
  return !canBrowse(backend) && !keepsFailedJobs(backend) && !canPause(backend) && !isClearing(backend);
}
