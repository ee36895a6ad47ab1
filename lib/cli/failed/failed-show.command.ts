import * as v from 'valibot';
import { option } from '../../module/configuration/option.js';
import { type FailedJob, QueueAdmin } from '../../queue/index.js';
import { command } from '../command.js';
import { needed } from '../command-run.js';
import { CONNECTION_OPTION, IDS_OPTION } from '../options.js';
import { UNKNOWN } from '../output/format.js';
import { assertQueueNamed } from './assert-queue-named.js';
import { FAILED_QUEUE_OPTION } from './failed-queue.option.js';
import { payloadOf, reportOf } from './failed-report.js';

export const failedShowCommand = command({
  name: 'failed show',
  summary: 'Shows failed jobs by their ids.',
  remarks: [
    'Of arguments it shows names and sizes: which of them are secret only the job class knows, and the command does not',
    'load it. --show-args shows all of them as they are stored.',
  ],
  options: {
    ...CONNECTION_OPTION,
    ...FAILED_QUEUE_OPTION,
    ...IDS_OPTION,
    showArgs: option({
      flag: 'show-args',
      summary: 'Show arguments, secret ones too.',
      expected: 'no value',
      fallback: false,
      otherwise: 'off',
      schema: v.boolean(),
    }),
  },
  async run({ connection, queue: name, ids, showArgs = false }, run) {
    const wanted = needed(ids, 'id', 'the id of a failed job');
    const queue = await run.open(connection);
    const { failed } = new QueueAdmin(queue);
    assertQueueNamed(queue, name);
    const found: FailedJob[] = [];
    for (const id of wanted) {
      const job = await failed.find(id, name === undefined ? {} : { queue: name });
      if (job === null) run.terminal.note(`${id}: no such failed job`);
      else found.push(job);
    }
    const shown = found.map((job) => ({ ...reportOf(job), ...(showArgs ? payloadOf(job) : {}) }));
    if (run.json) run.terminal.printJson({ connection: queue.name, jobs: shown });
    else for (const job of shown) run.terminal.print(`${blockOf(job)}\n`);
    return found.length === wanted.length ? 0 : 1;
  },
});

function blockOf(fields: Readonly<Record<string, unknown>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length)) + 2;
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `${`${name}:`.padEnd(width)}${textOf(value).replaceAll('\n', `\n${' '.repeat(width)}`)}`,
    )
    .join('\n');
}

function textOf(value: unknown): string {
  if (value === null) return UNKNOWN;
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
