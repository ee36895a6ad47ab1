import {
  canBrowse,
  canPause,
  isClearing,
  keepsFailedJobs,
  MAX_FAILED_SCAN,
  type QueueBackend,
} from '../contract/index.js';

/**
 * What a board can do nothing about in a backend's queues, in short sentences; empty where it can do everything. Bull Board
 * shows one line, so what cannot be done comes first.
 */
export function sayLimits(backend: QueueBackend): readonly string[] {
  const { delivers, exactCounts, failedJobs } = backend.capabilities;
  if (!delivers) return ['A push runs the job itself, so nothing is ever stored.'];
  const missing = [
    ...(canBrowse(backend) ? [] : ['list jobs that wait or run']),
    ...(keepsFailedJobs(backend) ? [] : ['list failed jobs']),
    ...(canPause(backend) ? [] : ['pause']),
    ...(isClearing(backend) ? [] : ['be emptied']),
  ];
  return [
    ...(missing.length === 0 ? [] : [`It cannot ${missing.join(', ')}.`]),
    ...(exactCounts ? [] : ['Numbers are estimates, 0 where nothing is known.']),
    ...(failedJobs === 'scan' ? [`Failed jobs: oldest first, up to ${MAX_FAILED_SCAN}.`] : []),
  ];
}

/** Nothing on a board could change anything. */
export function isOnlyWatched(backend: QueueBackend): boolean {
  return !canBrowse(backend) && !keepsFailedJobs(backend) && !canPause(backend) && !isClearing(backend);
}
