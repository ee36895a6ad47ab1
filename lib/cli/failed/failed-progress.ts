import type { Queue } from '../../queue/index.js';
import type { CommandRun } from '../command-run.js';
import { Progress } from '../output/progress.js';

/** Does something to all failed jobs of a queue, and shows how they become fewer. */
export async function withFailedProgress<Result>(
  queue: Queue,
  name: string,
  run: CommandRun,
  work: () => Promise<Result>,
): Promise<Result> {
  const left = async (): Promise<number | null> => (await queue.counts(name)).failed;
  const progress = new Progress(run.terminal, name, (await left()) ?? 0);
  return progress.while(work(), left);
}
