import { setTimeout as pause } from 'node:timers/promises';
import type { Queue } from '../../queue/index.js';
import type { CommandRun } from '../command-run.js';
import { sampleOf, type StatsSample } from './queue-stats.js';
import { ratesBetween } from './stats-rates.js';
import { statsTable } from './stats-table.js';

export interface WatchOptions {
  readonly queues: readonly string[] | undefined;
  readonly intervalSeconds: number;
  /** How often it counts; Infinity until it is stopped. */
  readonly rounds: number;
}

/** To the upper left corner, and nothing below. */
const CLEARED = '\x1b[H\x1b[2J';

/** Counts again and again: drawn in one place on a terminal, one block behind the other elsewhere. */
export async function watchStats(
  queue: Queue,
  { queues, intervalSeconds, rounds }: WatchOptions,
  run: CommandRun,
): Promise<void> {
  let before: StatsSample | null = null;
  for (let round = 1; ; round += 1) {
    const sample = await sampleOf(queue, await run.queuesOf(queue, queues));
    show(queue.name, sample, before, run);
    before = sample;
    if (round >= rounds || !(await waited(intervalSeconds, run.stop))) return;
  }
}

function show(connection: string, sample: StatsSample, before: StatsSample | null, run: CommandRun): void {
  const rates = ratesBetween(before, sample);
  const time = new Date().toISOString();
  if (run.json) {
    const queues = sample.queues.map((row, index) => ({ ...row, ...rates.queues[index] }));
    run.terminal.printJson({ time, connection, queues, total: { ...sample.total, ...rates.total } });
    return;
  }
  const block = `${connection}, ${time}\n\n${statsTable(sample, rates)}\n`;
  if (run.terminal.out.isTTY === true) run.terminal.out.write(CLEARED);
  run.terminal.print(block);
}

/** False when it is time to end. */
async function waited(seconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(seconds * 1_000, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
