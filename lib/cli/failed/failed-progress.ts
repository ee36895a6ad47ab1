import type { Queue } from '../../queue/index.js';
import type { CommandRun } from '../command-run.js';
import { Progress } from '../output/progress.js';

/** How many failed jobs a queue has; null where nobody knows, as for all queues together. */
export async function failedLeft(queue: Queue, name: string | undefined): Promise<number | null> {
  return name === undefined ? null : (await queue.counts(name)).failed;
}

/** Shows how the failed jobs of a queue become fewer. */
export async function failedProgress(
  queue: Queue,
  name: string | undefined,
  run: CommandRun,
): Promise<Progress> {
  return new Progress(run.terminal, name ?? 'failed jobs', (await failedLeft(queue, name)) ?? 0);
}
