import * as v from 'valibot';
import { QueueConfigurationException, type RetryOutcome } from '../../contract/index.js';
import { option } from '../../module/configuration/option.js';
import { type FailedJobs, type Queue, QueueAdmin } from '../../queue/index.js';
import { command } from '../command.js';
import type { CommandRun } from '../command-run.js';
import type { CommandExitCode } from '../exit-code-of.js';
import { CONNECTION_OPTION, IDS_OPTION, queuesOption } from '../options.js';
import { jobs } from '../output/format.js';
import { noteStopped } from '../output/note-stopped.js';
import { assertQueueNamed } from './assert-queue-named.js';
import { withFailedProgress } from './failed-progress.js';
import { failedQueues } from './failed-queues.js';

const SAID: { readonly [Outcome in RetryOutcome]: string } = {
  retried: 'went back to its queue',
  missing: 'no such failed job',
  duplicate: 'stays: another job holds its unique key',
};

export const failedRetryCommand = command({
  name: 'failed retry',
  summary: 'Puts failed jobs back on their queues, with their attempts from the start.',
  options: {
    ...CONNECTION_OPTION,
    queues: queuesOption('every queue'),
    ...IDS_OPTION,
    all: option({
      flag: 'all',
      summary: 'All of the queues.',
      expected: 'no value',
      fallback: false,
      otherwise: 'off',
      schema: v.boolean(),
    }),
  },
  async run({ connection, queues, ids, all = false }, run) {
    if ((ids === undefined) === !all) {
      throw new QueueConfigurationException(
        `failed retry: expected --id=… or --all, came ${all ? 'both' : 'neither'}.`,
      );
    }
    if (ids !== undefined && queues !== undefined && queues.length > 1) {
      throw new QueueConfigurationException('--queue: expected one queue beside --id, came several.');
    }
    const queue = await run.open(connection);
    const { failed } = new QueueAdmin(queue);
    assertQueueNamed(queue, queues);
    return ids === undefined ? retryAll(queue, failed, queues, run) : retryIds(failed, ids, queues?.[0], run);
  },
});

async function retryIds(
  failed: FailedJobs,
  ids: readonly string[],
  queue: string | undefined,
  run: CommandRun,
): Promise<CommandExitCode> {
  const outcomes: { readonly id: string; readonly outcome: RetryOutcome }[] = [];
  for (const id of ids) {
    const outcome = await failed.retry(id, queue === undefined ? {} : { queue });
    outcomes.push({ id, outcome });
    if (!run.json) run.terminal.print(`${id}: ${SAID[outcome]}`);
  }
  if (run.json) run.terminal.printJson({ jobs: outcomes });
  return outcomes.every(({ outcome }) => outcome === 'retried') ? 0 : 1;
}

async function retryAll(
  queue: Queue,
  failed: FailedJobs,
  queues: readonly string[] | undefined,
  run: CommandRun,
): Promise<CommandExitCode> {
  const totals = { retried: 0, duplicates: 0 };
  const done: string[] = [];
  let stopped = false;
  for await (const name of failedQueues(failed, queues)) {
    stopped = run.stop.aborted;
    if (stopped) break;
    const step = await withFailedProgress(queue, name, run, () => failed.retryAll({ queue: name }));
    totals.retried += step.retried;
    totals.duplicates += step.duplicates;
    done.push(name);
  }
  const { retried, duplicates } = totals;
  if (run.json) run.terminal.printJson(totals);
  else {
    run.terminal.print(`${jobs(retried)} went back`);
    if (duplicates > 0) run.terminal.print(`${jobs(duplicates)} stayed: others hold the unique keys`);
  }
  if (stopped) noteStopped('failed retry', done, run);
  return stopped || duplicates > 0 ? 1 : 0;
}
