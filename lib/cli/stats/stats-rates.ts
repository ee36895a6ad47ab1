import type { QueueStats, StatsSample, TotalStats } from './queue-stats.js';

/** How fast counts change, per second; null where that is not known. */
export interface StatsRates {
  /** Ready and delayed jobs: pushes and retries less what workers took. */
  readonly waitingPerSecond: number | null;
  readonly failedPerSecond: number | null;
}

/** The rates of each row of a sample, and of the total, since an earlier one. */
export interface SampleRates {
  readonly queues: readonly StatsRates[];
  readonly total: StatsRates;
}

const NOT_KNOWN: StatsRates = { waitingPerSecond: null, failedPerSecond: null };

/** A queue that the earlier sample does not have held nothing then. */
const NOTHING: TotalStats = { ready: 0, delayed: 0, reserved: 0, failed: 0, oldestReadySeconds: null };

export function ratesBetween(before: StatsSample | null, now: StatsSample): SampleRates {
  if (before === null) return { queues: now.queues.map(() => NOT_KNOWN), total: NOT_KNOWN };
  const seconds = (now.atMs - before.atMs) / 1_000;
  const earlier = new Map<string, QueueStats>(before.queues.map((row) => [row.queue, row]));
  return {
    queues: now.queues.map((row) => rateOf(earlier.get(row.queue) ?? NOTHING, row, seconds)),
    total: rateOf(before.total, now.total, seconds),
  };
}

function rateOf(before: TotalStats, now: TotalStats, seconds: number): StatsRates {
  const failed = now.failed === null || before.failed === null ? null : now.failed - before.failed;
  return {
    waitingPerSecond: (waiting(now) - waiting(before)) / seconds,
    failedPerSecond: failed === null ? null : failed / seconds,
  };
}

function waiting({ ready, delayed }: TotalStats): number {
  return ready + (delayed ?? 0);
}
