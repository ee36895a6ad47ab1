import * as v from 'valibot';
import { QueueConfigurationException } from '../../contract/index.js';
import { option } from '../../module/configuration/option.js';
import { command } from '../command.js';
import { CONNECTION_OPTION, COUNT, queuesOption, SECONDS } from '../options.js';
import { sampleOf } from './queue-stats.js';
import { statsTable } from './stats-table.js';
import { watchStats } from './watch-stats.js';

const DEFAULT_INTERVAL_SECONDS = 2;

export const statsCommand = command({
  name: 'stats',
  summary: 'Counts the jobs of queues.',
  remarks: [
    'Times decide, as in counts(): a delayed job that is due, and one whose lease has ended, are ready. – is what the',
    'backend cannot know. With --watch: waiting/s is how ready and delayed jobs become more or fewer, failed/s the same',
    'of failed ones.',
  ],
  options: {
    ...CONNECTION_OPTION,
    queues: queuesOption('every queue that holds jobs, and those of the newest failed jobs'),
    watch: option({
      flag: 'watch',
      summary: 'Count again and again, with rates, until it is stopped.',
      expected: 'no value',
      fallback: false,
      otherwise: 'off',
      schema: v.boolean(),
    }),
    intervalSeconds: option({
      ...SECONDS,
      flag: 'interval',
      summary: 'How long --watch waits between two counts.',
      otherwise: String(DEFAULT_INTERVAL_SECONDS),
    }),
    rounds: option({
      ...COUNT,
      flag: 'rounds',
      summary: 'How often --watch counts before it ends.',
      otherwise: 'no limit',
    }),
  },
  async run({ connection, queues, watch = false, intervalSeconds, rounds }, run) {
    if (!watch && (intervalSeconds ?? rounds) !== undefined) {
      const flag = intervalSeconds === undefined ? 'rounds' : 'interval';
      throw new QueueConfigurationException(`--${flag}: expected --watch beside it, came none.`);
    }
    const queue = await run.open(connection);
    if (watch) {
      const options = {
        queues,
        intervalSeconds: intervalSeconds ?? DEFAULT_INTERVAL_SECONDS,
        rounds: rounds ?? Infinity,
      };
      await watchStats(queue, options, run);
      return 0;
    }
    const sample = await sampleOf(queue, await run.queuesOf(queue, queues));
    if (run.json)
      run.terminal.printJson({ connection: queue.name, queues: sample.queues, total: sample.total });
    else run.terminal.print(statsTable(sample, null));
    return 0;
  },
});
