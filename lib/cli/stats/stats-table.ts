import { formatAge, formatCount, formatRate } from '../output/format.js';
import { tableOf } from '../output/table.js';
import type { StatsSample, TotalStats } from './queue-stats.js';
import type { SampleRates, StatsRates } from './stats-rates.js';

const COUNTS = ['ready', 'delayed', 'reserved', 'failed', 'oldest ready'];
const RATES = ['waiting/s', 'failed/s'];

/** A sample for people; the rates are left out where they are not asked for. */
export function statsTable({ queues, total }: StatsSample, rates: SampleRates | null): string {
  const head = [
    { title: 'queue' },
    ...[...COUNTS, ...(rates === null ? [] : RATES)].map((title) => ({ title, align: 'right' as const })),
    { title: '' },
  ];
  const rows = queues.map((row, index) => [
    row.queue,
    ...cellsOf(row),
    ...rateCellsOf(rates?.queues[index]),
    row.paused ? 'paused' : '',
  ]);
  return tableOf(head, [...rows, ['total', ...cellsOf(total), ...rateCellsOf(rates?.total), '']]);
}

function cellsOf({ ready, delayed, reserved, failed, oldestReadySeconds }: TotalStats): readonly string[] {
  return [...[ready, delayed, reserved, failed].map(formatCount), formatAge(oldestReadySeconds)];
}

function rateCellsOf(rates: StatsRates | undefined): readonly string[] {
  if (rates === undefined) return [];
  return [formatRate(rates.waitingPerSecond), formatRate(rates.failedPerSecond)];
}
