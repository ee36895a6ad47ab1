import * as v from 'valibot';
import { QueueConfigurationException } from '../../contract/index.js';
import { option } from '../../module/configuration/option.js';
import { QueueAdmin } from '../../queue/index.js';
import { command } from '../command.js';
import { CONNECTION_OPTION, COUNT, queuesOption } from '../options.js';
import { formatCount, UNKNOWN } from '../output/format.js';
import { tableOf } from '../output/table.js';
import { assertQueueNamed } from './assert-queue-named.js';
import { type FailedReport, reportOf } from './failed-report.js';

const DEFAULT_LIMIT = 50;
/** Characters of an error in the table. */
const LONGEST_ERROR = 60;

const HEAD = [
  { title: 'id' },
  { title: 'queue' },
  { title: 'class' },
  { title: 'attempts', align: 'right' as const },
  { title: 'failed at' },
  { title: 'cause' },
  { title: 'error' },
];

export const failedListCommand = command({
  name: 'failed list',
  summary: 'Lists jobs that were given up on, newest first.',
  remarks: ['Arguments are not shown. Where the backend has to scan, one queue at a time and oldest first.'],
  options: {
    ...CONNECTION_OPTION,
    queues: queuesOption('every queue'),
    limit: option({
      ...COUNT,
      flag: 'limit',
      summary: 'How many of each queue that is named, else of all.',
      fallback: DEFAULT_LIMIT,
    }),
    cursor: option({
      flag: 'cursor',
      takes: 'cursor',
      summary: 'Go on where a page ended.',
      expected: 'the cursor that a page ended with',
      otherwise: 'the start',
      schema: v.pipe(v.string(), v.minLength(1)),
    }),
  },
  async run({ connection, queues, limit = DEFAULT_LIMIT, cursor: start }, run) {
    if (start !== undefined && queues !== undefined && queues.length > 1) {
      throw new QueueConfigurationException('--cursor: expected one queue beside it, came several.');
    }
    const queue = await run.open(connection);
    const { failed } = new QueueAdmin(queue);
    assertQueueNamed(queue, queues);
    const reports: FailedReport[] = [];
    let cursor: string | null = null;
    for (const name of queues ?? [undefined]) {
      const page = await failed.list({
        limit,
        ...(name === undefined ? {} : { queue: name }),
        ...(start === undefined ? {} : { cursor: start }),
      });
      reports.push(...page.jobs.map(reportOf));
      cursor = queues === undefined || queues.length === 1 ? page.cursor : null;
    }
    if (run.json) run.terminal.printJson({ connection: queue.name, jobs: reports, cursor });
    else if (reports.length === 0) run.terminal.print('no failed jobs');
    else run.terminal.print(tableOf(HEAD, reports.map(rowOf)));
    if (!run.json && cursor !== null) run.terminal.note(`more: --cursor=${cursor}`);
    return 0;
  },
});

function rowOf(job: FailedReport): readonly string[] {
  return [
    job.id,
    job.queue,
    job.class ?? UNKNOWN,
    formatCount(job.attempts),
    job.failedAt,
    job.cause,
    shortened(`${job.error}: ${job.message}`),
  ];
}

function shortened(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.length > LONGEST_ERROR ? `${line.slice(0, LONGEST_ERROR - 1)}…` : line;
}
