import type { QueueCounts } from '../../contract/index.js';
import type { Queue } from '../../queue/index.js';

/** The counts of one queue, by its name. */
export interface QueueStats extends QueueCounts {
  readonly queue: string;
}

/** Counts of all queues together; null where the backend knows none. */
export type TotalStats = Omit<QueueCounts, 'paused'>;

/** What was counted at a time, by this process's monotonic clock in milliseconds. */
export interface StatsSample {
  readonly atMs: number;
  readonly queues: readonly QueueStats[];
  readonly total: TotalStats;
}

export async function sampleOf(queue: Queue, names: readonly string[]): Promise<StatsSample> {
  const queues: QueueStats[] = [];
  // One after the other: a command takes no more of a busy server than it needs.
  for (const name of names) queues.push({ queue: name, ...(await queue.counts(name)) });
  return { atMs: performance.now(), queues, total: totalOf(queues) };
}

function totalOf(queues: readonly QueueStats[]): TotalStats {
  return {
    ready: sum(queues.map(({ ready }) => ready)) ?? 0,
    delayed: sum(queues.map(({ delayed }) => delayed)),
    reserved: sum(queues.map(({ reserved }) => reserved)),
    failed: sum(queues.map(({ failed }) => failed)),
    oldestReadySeconds: known(queues.map(({ oldestReadySeconds }) => oldestReadySeconds)).reduce<
      number | null
    >((oldest, age) => Math.max(oldest ?? 0, age), null),
  };
}

function known(counts: readonly (number | null)[]): readonly number[] {
  return counts.filter((count) => count !== null);
}

function sum(counts: readonly (number | null)[]): number | null {
  const those = known(counts);
  return those.length === 0 && counts.length > 0 ? null : those.reduce((total, count) => total + count, 0);
}
