import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DeferJobException, encodeBody } from '../../lib/contract/index.js';
import { ClearableQueue } from '../../lib/queue/index.js';
import type { WorkerOptions } from '../../lib/worker/index.js';
import { waitFor } from '../support/eventually.js';
import { newJob } from '../support/new-job.js';
import { PatientJob, StateBench } from './job-states/state-bench.js';
import { transitions } from './job-states/transitions.js';

const rows = transitions(readFileSync('docs/job-states.md', 'utf8'));

type Walk = (states: StateBench) => Promise<unknown>;

/** Has a worker handle one delivery. */
async function work(states: StateBench, options: Partial<WorkerOptions> = {}): Promise<void> {
  await states.bench.worker(options, StateBench.eventClasses).processNext(1);
}

async function throwing(
  states: StateBench,
  error: Error,
  options: Partial<WorkerOptions> = {},
): Promise<void> {
  states.bench.handler = () => {
    throw error;
  };
  await states.bench.push('a');
  await work(states, options);
}

async function failed(states: StateBench): Promise<string> {
  await throwing(states, new Error('again'));
  const { jobs } = await states.admin.failed.list({ queue: 'default' });
  return jobs[0]?.id ?? '';
}

/** A job that another version of its class pushed. */
async function pushOther(states: StateBench): Promise<void> {
  const job = newJob({ queue: 'default' });
  const body = { id: job.id, pushedAt: '2026-01-01T00:00:00.000Z', class: 'LabelledJob', args: {} };
  await states.bench.backend.store([
    { ...job, body: encodeBody({ ...body, maxAttempts: null, metadata: {}, chain: [] }) },
  ]);
}

/** Every row of the table, done. */
const WALKS: Readonly<Record<number, Walk>> = {
  1: (states) => states.bench.push('a'),
  2: (states) => states.bench.push('a', { delaySeconds: 60 }),
  3: async (states) => {
    await states.bench.push('a', { delaySeconds: 60 });
    await states.pass(61);
  },
  4: async (states) => {
    const id = await states.bench.push('a', { delaySeconds: 60 });
    await states.admin.browse.promote('default', String(id));
  },
  5: async (states) => {
    await states.bench.push('a');
    await work(states);
  },
  6: async (states) => {
    states.bench.handler = (delivery) => delivery.extend({ seconds: 300 });
    await states.bench.push('a');
    await work(states);
  },
  7: async (states) => {
    await states.bench.push('a');
    await work(states);
  },
  8: (states) => throwing(states, new Error('again'), { maxAttempts: 2 }),
  9: async (states) => {
    states.bench.handler = () => {
      throw new Error('again');
    };
    await states.bench.queue.push(new PatientJob('a'));
    await work(states, { maxAttempts: 2 });
  },
  10: (states) => throwing(states, new DeferJobException(60, 'not yet')),
  11: async (states) => {
    await pushOther(states);
    await work(states);
  },
  12: async (states) => {
    states.bench.handler = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', reject));
    await states.bench.push('a');
    const worker = states.bench.worker({}, StateBench.eventClasses);
    const running = worker.run();
    await waitFor('the handler', () => states.bench.begun.length > 0);
    await worker.forceStop();
    await running;
  },
  13: async (states) => {
    await states.bench.push('a');
    await states.bench.connection.reserve(['default'], 1);
    await states.pass(91);
    await work(states);
  },
  14: failed,
  15: async (states) => {
    await states.storeRaw({ ...newJob({ queue: 'default' }), body: '{' });
    await work(states);
  },
  16: async (states) => states.admin.failed.retry(await failed(states)),
  17: async (states) => states.admin.failed.forget(await failed(states)),
  18: async (states) => {
    await states.bench.push('a');
    await new ClearableQueue(states.bench.queue).clear('default');
  },
  19: async (states) => {
    await states.bench.push('a', { delaySeconds: 60 });
    await new ClearableQueue(states.bench.queue).clear('default');
  },
};

/** The same by the other operation of the row. */
const OTHER_WALKS: Readonly<Record<number, Walk>> = {
  16: async (states) => {
    await failed(states);
    await states.admin.failed.retryAll();
  },
  17: async (states) => {
    await failed(states);
    await states.admin.failed.flush();
  },
  18: async (states) => states.admin.browse.remove('default', String(await states.bench.push('a'))),
  19: async (states) => {
    const id = await states.bench.push('a', { delaySeconds: 60 });
    await states.admin.browse.remove('default', String(id));
  },
};

test('every row of the table is walked, by each of its operations', () => {
  expect(Object.keys(WALKS).map(Number)).toEqual(rows.map(({ number }) => number));
  const several = rows.filter(({ operations }) => operations.length > 1).map(({ number }) => number);
  expect(Object.keys(OTHER_WALKS).map(Number)).toEqual(several);
});

const walks = rows.flatMap((row) =>
  [WALKS, OTHER_WALKS].flatMap((each, way) => {
    const walk = each[row.number];
    return walk === undefined ? [] : [{ ...row, walk, operation: row.operations[way] ?? null }];
  }),
);

test.each(walks)('$number: $from to $to, by $operation', async (row) => {
  const states = await StateBench.open();
  await row.walk(states);
  const { operation, from, to } = row;
  expect(states.steps).toContainEqual({ operation, from, to });
  expect(states.bench.lines.map(({ event }) => event)).toEqual(expect.arrayContaining([...row.lines]));
  expect(states.bench.told).toEqual(expect.arrayContaining([...row.events]));
});

/** Rows whose walk goes through no other that tells of something. */
test.each(walks.filter(({ number }) => ![5, 6, 13, 16, 17].includes(number)))(
  '$number, by $operation: nothing else is told',
  async (row) => {
    const states = await StateBench.open();
    await row.walk(states);
    const lines = states.bench.lines
      .map(({ event }) => event)
      .filter((event) => event.startsWith('job.') && event !== 'job.started');
    expect(lines.sort()).toEqual([...row.lines].sort());
    expect(states.bench.told.filter((event) => event !== 'JobStarted').sort()).toEqual(
      [...row.events].sort(),
    );
  },
);
