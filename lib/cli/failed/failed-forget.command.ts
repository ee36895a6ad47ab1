import { QueueAdmin } from '../../queue/index.js';
import { command } from '../command.js';
import { needed } from '../command-run.js';
import { CONNECTION_OPTION, IDS_OPTION } from '../options.js';
import { assertQueueNamed } from './assert-queue-named.js';
import { FAILED_QUEUE_OPTION } from './failed-queue.option.js';

export const failedForgetCommand = command({
  name: 'failed forget',
  summary: 'Deletes failed jobs by their ids.',
  options: { ...CONNECTION_OPTION, ...FAILED_QUEUE_OPTION, ...IDS_OPTION },
  async run({ connection, queue: name, ids }, run) {
    const wanted = needed(ids, 'id', 'the id of a failed job');
    const queue = await run.open(connection);
    const { failed } = new QueueAdmin(queue);
    assertQueueNamed(queue, name);
    const outcomes: { readonly id: string; readonly forgotten: boolean }[] = [];
    for (const id of wanted) {
      const forgotten = await failed.forget(id, name === undefined ? {} : { queue: name });
      outcomes.push({ id, forgotten });
      if (!run.json) run.terminal.print(`${id}: ${forgotten ? 'deleted' : 'no such failed job'}`);
    }
    if (run.json) run.terminal.printJson({ jobs: outcomes });
    return outcomes.every(({ forgotten }) => forgotten) ? 0 : 1;
  },
});
