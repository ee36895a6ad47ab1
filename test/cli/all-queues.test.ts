import { describe, expect, test } from 'vitest';
import { keepsFailedJobs } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { newJob } from '../support/redis-queue.js';
import { interruptedFolder } from './support/between-queues.js';
import { commandLine } from './support/command-line.js';
import { failJob } from './support/fail-job.js';
import { filled } from './support/filled.js';
import { sqliteStore, type Store, STORES } from './support/stores.js';

const QUEUES = ['imports', 'mail', 'reports'];

/** Failed jobs of three queues, as many of each, the oldest of the first. */
async function failMany({ backend }: Store, ofEach: number): Promise<void> {
  const failure = { cause: 'exhausted', error: 'Error', message: 'no', stack: null } as const;
  for (const queue of QUEUES) {
    await backend.store(Array.from({ length: ofEach }, () => newJob({ queue })));
    const items = await backend.reserve([queue], ofEach);
    await backend.settle(items.map(({ receipt }) => ({ operation: 'fail', receipt, failure })));
  }
}

describe.each(STORES)('on %s', (_, open) => {
  test.each([
    ['retry', '--all', '330 jobs went back\n'],
    ['flush', '--force', 'deleted 330 jobs\n'],
  ])('failed %s reaches the jobs of every queue, however many there are', async (name, flag, said) => {
    const store = await open();
    await failMany(store, 110);
    const { code, out } = await commandLine(['failed', name, flag], { env: store.env });
    expect({ code, out }).toEqual({ code: 0, out: said });
    const counts = await Promise.all(QUEUES.map((queue) => store.backend.count(queue)));
    expect(counts.map(({ failed }) => failed)).toEqual([0, 0, 0]);
    const ready = counts.reduce((sum, count) => sum + count.ready, 0);
    expect(ready).toBe(name === 'retry' ? 330 : 0);
  });
});

test('jobs whose unique keys are held stay, and those behind them are reached', async () => {
  const { env, backend } = await sqliteStore();
  await failJob(backend, newJob({ queue: 'mail' }));
  const keys = Array.from({ length: 120 }, (_, n) => String(n).padStart(64, '0'));
  for (const uniqueKey of keys) await failJob(backend, newJob({ queue: 'reports', uniqueKey }));
  await backend.store(keys.map((uniqueKey) => newJob({ queue: 'reports', uniqueKey })));
  const { code, out } = await commandLine(['failed', 'retry', '--all'], { env });
  expect({ code, out }).toEqual({
    code: 1,
    out: '1 job went back\n120 jobs stayed: others hold the unique keys\n',
  });
  expect((await backend.count('mail')).ready).toBe(1);
});

test.each([
  ['retry', '--all', 'retryAllFailed'],
  ['flush', '--force', 'flushFailed'],
] as const)('failed %s over all queues shows how far each has come', async (name, flag, operation) => {
  const store = await sqliteStore();
  await failMany(store, 7);
  let written = '';
  const folder = await interruptedFolder(store, operation, async (queue) => {
    const { backend } = store;
    if (!keepsFailedJobs(backend)) throw new Error('Expected a store that keeps failed jobs.');
    const { jobs } = await backend.listFailed({ queue, limit: 4 });
    for (const { id } of jobs) await backend.forgetFailed(id);
    await waitFor(`progress of ${queue}`, () => written.includes(`${queue}: 4 of 7 (57 %)`));
  });
  const options = { folder, onWrite: (text: string) => (written += text) };
  const { code, err } = await commandLine(['failed', name, flag, '--config=config.mjs'], options);
  expect(code).toBe(0);
  expect(err.split('\n').sort()).toEqual(['', ...QUEUES.map((queue) => `${queue}: 4 of 7 (57 %)`)]);
  const bar = await commandLine(['failed', name, flag, '--config=config.mjs'], { folder, isTTY: true });
  expect(bar).toMatchObject({ code: 0, err: '' }); // nothing is left, and nothing is shown
});

test.each([
  ['failed retry', ['failed', 'retry', '--all'], 'retryAllFailed', '1 job went back\n', '"reports"'],
  ['failed flush', ['failed', 'flush', '--force'], 'flushFailed', 'deleted 1 job\n', '"reports"'],
  [
    'clear',
    ['clear', '--force', '--queue=mail,imports'],
    'clear',
    '"mail": discarded 4 jobs; workers keep 1 job\n',
    '"mail"',
  ],
] as const)(
  '%s ends between two queues at the first signal, and says what it did',
  async (name, argv, operation, out, done) => {
    const store = await sqliteStore();
    await failJob(store.backend, newJob({ queue: 'alerts' }));
    await filled(store.backend);
    const stop = new AbortController();
    const folder = await interruptedFolder(store, operation, () => stop.abort());
    const ended = await commandLine([...argv, '--config=config.mjs'], { folder, stop: stop.signal });
    expect(ended).toEqual({
      code: 1,
      out,
      err: `${name}: ended by a signal before it was through. Done: ${done}. What is left is as it was; start it again to go on.\n`,
    });
    expect((await store.backend.count('alerts')).failed).toBe(1);
    expect((await store.backend.count('imports')).ready).toBe(1);
  },
);
