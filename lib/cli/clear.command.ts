import { ClearableQueue } from '../queue/index.js';
import { command } from './command.js';
import { CommandRefusedException } from './command-refused.exception.js';
import { needed } from './command-run.js';
import { CONNECTION_OPTION, FORCE_OPTION, queuesOption } from './options.js';
import { jobs } from './output/format.js';
import { Progress } from './output/progress.js';
import { noteStopped } from './output/note-stopped.js';
import { sampleOf } from './stats/queue-stats.js';

export const clearCommand = command({
  name: 'clear',
  summary: 'Discards the ready and delayed jobs of queues.',
  remarks: ['Jobs that a worker holds stay. Failed jobs have a command of their own: failed flush.'],
  options: { ...CONNECTION_OPTION, queues: queuesOption('none; it has to be given'), ...FORCE_OPTION },
  async run({ connection, queues, force = false }, run) {
    const names = needed(queues, 'queue', 'the queues to clear');
    const queue = await run.open(connection);
    const clearable = new ClearableQueue(queue);
    const before = (await sampleOf(queue, names)).queues.map(({ queue: name, ready, delayed, reserved }) => ({
      name,
      waiting: ready + (delayed ?? 0),
      reserved: reserved ?? 0,
    }));
    if (!force) {
      const each = before.map(({ name, waiting }) => `${jobs(waiting)} of "${name}"`);
      throw new CommandRefusedException(
        `clear: expected --force, came none: it would discard ${each.join(', ')} for good. Nothing was changed.`,
      );
    }
    const cleared: { readonly queue: string; readonly removed: number }[] = [];
    for (const { name, waiting, reserved } of before) {
      if (run.stop.aborted) break;
      const removed = await new Progress(run.terminal, name, waiting).while(clearable.clear(name), () =>
        queue.size(name),
      );
      cleared.push({ queue: name, removed });
      const left = reserved === 0 ? '' : `; workers keep ${jobs(reserved)}`;
      if (!run.json) run.terminal.print(`"${name}": discarded ${jobs(removed)}${left}`);
    }
    if (run.json) run.terminal.printJson({ connection: queue.name, cleared });
    if (cleared.length === before.length) return 0;
    noteStopped(
      'clear',
      cleared.map((each) => each.queue),
      run,
    );
    return 1;
  },
});
