import { AssertionError } from 'node:assert';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  InvalidQueueArgumentException,
  KinetisQueueModule,
  memory,
  type Queue,
  QueueAdmin,
  QueueConfigurationException,
  QueueNotConsumableException,
  sync,
} from '../../lib/index.js';
import { drain, recordQueues } from '../../lib/testing.js';
import { Archive, Book, Charge, Journal, mail, Shop, ShopModule, shopWith, unreachable } from './shop.js';

let app: TestingModule;
let queue: Queue;
let journal: Journal;
afterEach(() => app.close());

async function open(builder: ReturnType<typeof Test.createTestingModule>): Promise<void> {
  app = await builder.compile();
  app.useLogger(false);
  await app.init();
  ({ queue } = app.get(Shop));
  journal = app.get(Journal);
}

function openRecorded(): Promise<void> {
  const builder = Test.createTestingModule(shopWith({ default: unreachable, ledger: unreachable }));
  recordQueues(builder);
  return open(builder);
}

const openMemory = () => open(Test.createTestingModule(shopWith({ default: memory(), ledger: memory() })));

describe.each([
  ['recorded queues', openRecorded],
  ['memory', openMemory],
])('drain() on %s', (_name, openApp) => {
  test('runs everything that was pushed, on every connection, and says what became of it', async () => {
    await openApp();
    await queue.push(new Book(1));
    await queue.push(mail());
    await queue.push(new Charge(402));
    const outcomes = await drain(app);
    expect(outcomes.map(({ job, outcome }) => `${job} ${outcome}`)).toEqual([
      'SendMail acked',
      'Charge failed',
      'Book acked',
    ]);
    expect(outcomes[1]).toMatchObject({ cause: 'fatal', error: expect.any(Error), attempts: 1 });
    expect(journal.lines).toContain('gave up: no money');
    expect(await drain(app)).toEqual([]);
  });

  test('runs chains, and what jobs push', async () => {
    await openApp();
    await queue.chain([new Charge(1), new Archive(1), mail()]);
    expect((await drain(app)).map(({ job }) => job)).toEqual(['Charge', 'Archive', 'SendMail']);
  });

  test('of one connection only', async () => {
    await openApp();
    await queue.push(new Book(1));
    await queue.push(new Archive(1));
    expect(await drain(app, { connection: 'ledger' })).toMatchObject([{ job: 'Book' }]);
    expect(await queue.size()).toBe(1);
  });

  test('leaves delayed jobs, or runs them by their times without waiting', async () => {
    await openApp();
    await queue.push(new Archive(3), { delaySeconds: 3_000 });
    await queue.push(new Archive(2), { delaySeconds: 20, queue: 'zoo' });
    await queue.push(new Book(1), { delaySeconds: 10 });
    expect(await drain(app)).toEqual([]);
    expect(await drain(app, { delayed: true })).toMatchObject([
      { job: 'Book' },
      { job: 'Archive', queue: 'zoo' },
      { job: 'Archive', queue: 'default' },
    ]);
  });

  test('retries released jobs to their end where delayed ones run', async () => {
    await openApp();
    await queue.push(new Charge(500));
    expect(await drain(app)).toMatchObject([{ outcome: 'released', delaySeconds: 10 }]);
    expect(await drain(app, { delayed: true })).toMatchObject([
      { outcome: 'released', delaySeconds: 60, attempts: 2 },
      { outcome: 'failed', cause: 'exhausted', attempts: 3 },
    ]);
    expect(await queue.counts('default')).toMatchObject({ ready: 0, delayed: 0, failed: 1 });
  });

  test('gives jobs without a cap of their own that of the worker', async () => {
    await openApp();
    await queue.push(new Charge(500), { maxAttempts: null });
    expect(await drain(app, { delayed: true, maxAttempts: 2 })).toHaveLength(2);
  });

  test('ends a loop with a message that names the job', async () => {
    await openApp();
    await queue.push(new Archive(0));
    const looping = drain(app, { maxJobs: 20 });
    await expect(looping).rejects.toThrow(AssertionError);
    await expect(looping).rejects.toThrow(/after 20 deliveries, came more.*Archive on "default" \(21\)/s);
  });

  test('ends a job that defers itself without end', async () => {
    await openApp();
    await queue.push(new Charge(429));
    await expect(drain(app, { maxJobs: 10, delayed: true })).rejects.toThrow(/Charge on "default" \(11\)/);
  });

  test('leaves a paused queue alone', async () => {
    await openApp();
    await queue.push(new Archive(1));
    await queue.push(new Archive(2), { delaySeconds: 5 });
    const admin = await app.resolve(QueueAdmin);
    await admin.pause('default');
    expect(await drain(app, { delayed: true })).toEqual([]);
    await admin.resume('default');
    expect(await drain(app, { delayed: true })).toHaveLength(2);
  });
});

test('on recorded queues time stands still: a delay never ends by itself, and one job’s delay counts from its push', async () => {
  await openRecorded();
  await queue.chain([
    { job: new Archive(1), delaySeconds: 30 },
    { job: new Archive(2), delaySeconds: 10 },
  ]);
  await queue.push(new Archive(3), { delaySeconds: 35 });
  await queue.push(new Archive(4), { delaySeconds: 0.001 });
  expect(await drain(app)).toEqual([]);
  await drain(app, { delayed: true });
  const order = journal.lines.filter((line) => line.startsWith('archived')).map((line) => line.split(' ')[1]);
  expect(order).toEqual(['4', '1', '3', '2']);
});

test('under faked timers it ends all the same', async () => {
  await openRecorded();
  vi.useFakeTimers();
  try {
    await queue.push(mail(), { delaySeconds: 60 });
    expect(await drain(app)).toEqual([]);
    expect(await drain(app, { delayed: true })).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('it is refused beside a worker of the application, and where there is nothing to run', async () => {
  const connections = { default: memory(), ledger: sync() };
  const worker = { pollTimeoutSeconds: 1 };
  const imports = [ShopModule, KinetisQueueModule.forRoot({ connections, worker })];
  await open(Test.createTestingModule({ imports }));
  await expect(drain(app)).rejects.toThrow(/no worker on the connection "default"/);
  await expect(drain(app, { connection: 'ledger' })).rejects.toThrow(QueueNotConsumableException);
  await expect(drain(app, { connection: 'legder' })).rejects.toThrow(InvalidQueueArgumentException);
  await expect(drain(app, { maxJobs: 0 })).rejects.toThrow(InvalidQueueArgumentException);
  const none = await Test.createTestingModule({}).compile();
  await expect(drain(none)).rejects.toThrow(QueueConfigurationException);
});
