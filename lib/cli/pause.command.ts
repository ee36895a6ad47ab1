import { QueueAdmin } from '../queue/index.js';
import { command } from './command.js';
import { needed } from './command-run.js';
import { CONNECTION_OPTION, queuesOption } from './options.js';

const options = { ...CONNECTION_OPTION, queues: queuesOption('none; it has to be given') };

export const pauseCommand = command({
  name: 'pause',
  summary: 'Holds queues for all workers, until they are resumed.',
  remarks: ['Pushes go on, and workers finish what they hold; a pause outlives restarts.'],
  options,
  async run({ connection, queues }, run) {
    const names = needed(queues, 'queue', 'the queues to pause');
    const queue = await run.open(connection);
    const admin = new QueueAdmin(queue);
    for (const name of names) {
      await admin.pause(name);
      if (!run.json) run.terminal.print(`"${name}": paused`);
    }
    if (run.json) run.terminal.printJson({ connection: queue.name, paused: names });
    return 0;
  },
});

export const resumeCommand = command({
  name: 'resume',
  summary: 'Lets workers take jobs of paused queues again.',
  options,
  async run({ connection, queues }, run) {
    const names = needed(queues, 'queue', 'the queues to resume');
    const queue = await run.open(connection);
    const admin = new QueueAdmin(queue);
    for (const name of names) {
      await admin.resume(name);
      if (!run.json) run.terminal.print(`"${name}": resumed`);
    }
    if (run.json) run.terminal.printJson({ connection: queue.name, resumed: names });
    return 0;
  },
});
