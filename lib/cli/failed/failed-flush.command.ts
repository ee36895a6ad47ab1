import { QueueAdmin } from '../../queue/index.js';
import { command } from '../command.js';
import { CommandRefusedException } from '../command-refused.exception.js';
import { CONNECTION_OPTION, FORCE_OPTION, queuesOption } from '../options.js';
import { jobs, quoted } from '../output/format.js';
import { noteStopped } from '../output/note-stopped.js';
import { assertQueueNamed } from './assert-queue-named.js';
import { withFailedProgress } from './failed-progress.js';
import { failedQueues } from './failed-queues.js';

export const failedFlushCommand = command({
  name: 'failed flush',
  summary: 'Deletes all failed jobs of queues.',
  options: { ...CONNECTION_OPTION, queues: queuesOption('every queue'), ...FORCE_OPTION },
  async run({ connection, queues, force = false }, run) {
    const queue = await run.open(connection);
    const { failed } = new QueueAdmin(queue);
    if (!force) {
      const whose = queues === undefined ? 'every queue' : quoted(queues);
      throw new CommandRefusedException(
        `failed flush: expected --force, came none: it would delete the failed jobs of ${whose} for good. Nothing was ` +
          'changed.',
      );
    }
    assertQueueNamed(queue, queues);
    let flushed = 0;
    const done: string[] = [];
    let stopped = false;
    for await (const name of failedQueues(failed, queues)) {
      stopped = run.stop.aborted;
      if (stopped) break;
      flushed += await withFailedProgress(queue, name, run, () => failed.flush({ queue: name }));
      done.push(name);
    }
    if (run.json) run.terminal.printJson({ connection: queue.name, flushed });
    else run.terminal.print(`deleted ${jobs(flushed)}`);
    if (stopped) noteStopped('failed flush', done, run);
    return stopped ? 1 : 0;
  },
});
