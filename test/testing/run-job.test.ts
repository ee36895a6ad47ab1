import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  Arg,
  DeferJobException,
  FailJobException,
  Handle,
  InvalidQueueArgumentException,
  Job,
  JobDeclarationException,
  JobDelivery,
  JobReconstructionException,
  JobTimeoutException,
  KinetisQueueModule,
  memory,
  provideJobs,
  QueueConfigurationException,
  sync,
  UnserializableJobException,
} from '../../lib/index.js';
import { redis } from '../../lib/redis.js';
import { runJob } from '../../lib/testing.js';
import { Archive, at, Book, Charge, Journal, mail, shopWith } from './shop.js';

/** Keeps what its handler saw. */
@Job({ timeoutSeconds: 0.01 })
class Look {
  static seen: { job: Look; delivery: JobDelivery } | null = null;

  constructor(
    readonly list: readonly number[],
    readonly hang: boolean,
  ) {}

  @Handle()
  async handle(delivery: JobDelivery): Promise<void> {
    Look.seen = { job: this, delivery };
    await delivery.extend({ seconds: 60 });
    if (!this.hang) return;
    await new Promise((resolve) => delivery.signal.addEventListener('abort', resolve));
  }
}

@Job()
class Fickle {
  static broken = false;

  constructor(readonly at: Date) {
    if (Fickle.broken) throw new Error('not twice');
  }

  @Handle()
  handle(): void {}
}

@Job()
class Wordy {
  constructor(
    @Arg({ encode: (value: bigint) => `${value}`, decode: BigInt as never }) readonly count: bigint,
  ) {}

  @Handle()
  handle(journal: Journal): void {
    journal.write(`${typeof this.count} ${this.count}`);
  }
}

let app: TestingModule;
let journal: Journal;

async function open(connections = { default: memory(), ledger: redis({ url: 'redis://127.0.0.1:1' }) }) {
  const shop = shopWith(connections);
  app = await Test.createTestingModule({
    ...shop,
    providers: [...provideJobs(Look, Fickle, Wordy)],
  }).compile();
  app.useLogger(false);
  journal = app.get(Journal);
}

beforeEach(() => open());
afterEach(() => app.close());

test('a job runs through middleware and handle(), and its events are told', async () => {
  expect(await runJob(app, mail())).toEqual({
    outcome: 'acked',
    job: 'SendMail',
    id: expect.stringMatching(/^[0-9a-f]{32}$/),
    queue: 'mail',
    connection: 'default',
    attempts: 1,
  });
  expect(journal.lines).toEqual([
    '> SendMail',
    `mail to ada@example.com of ${at.toISOString()}`,
    'SendMail succeeded',
  ]);
});

test('a throw with attempts left is a release after the backoff of that attempt', async () => {
  const first = await runJob(app, new Charge(500));
  expect(first).toMatchObject({ outcome: 'released', delaySeconds: 10, attempts: 1 });
  expect(first).toHaveProperty('error.message', 'order 500 broke');
  expect(await runJob(app, new Charge(500), { attempts: 2 })).toMatchObject({
    outcome: 'released',
    delaySeconds: 60,
    attempts: 2,
  });
});

test('a throw in the last attempt is a failure, and failed() is called', async () => {
  const last = await runJob(app, new Charge(500), { attempts: 3 });
  expect(last).toMatchObject({ outcome: 'failed', cause: 'exhausted', attempts: 3 });
  expect(journal.lines.slice(-2)).toEqual(['Charge failed', 'gave up: order 500 broke']);
  expect(await runJob(app, new Charge(500), { maxAttempts: 1 })).toMatchObject({ outcome: 'failed' });
});

test('FailJobException and DeferJobException are the outcomes that they ask for', async () => {
  const failed = await runJob(app, new Charge(402));
  expect(failed).toMatchObject({ outcome: 'failed', cause: 'fatal', error: expect.any(FailJobException) });
  const deferred = await runJob(app, new Charge(429), { attempts: 3 });
  expect(deferred).toMatchObject({
    outcome: 'deferred',
    delaySeconds: 30,
    error: expect.any(DeferJobException),
  });
});

test('the delivery is what the options say', async () => {
  const options = { attempts: 2, deferrals: 4, maxAttempts: 5, queue: 'look', metadata: { tenant: 'acme' } };
  const list = [1, 2];
  await runJob(app, new Look(list, false), { ...options, connection: 'ledger' });
  expect(Look.seen?.delivery).toMatchObject({
    ...options,
    connection: 'ledger',
    name: 'Look',
    lastAttempt: false,
  });
  expect(Look.seen?.job.list).toEqual(list);
  expect(Look.seen?.job.list).not.toBe(list);
});

test('a time limit ends a job', async () => {
  expect(await runJob(app, new Look([], true))).toMatchObject({
    outcome: 'failed',
    error: expect.any(JobTimeoutException),
  });
});

test('no server is asked, and the limits of the connection hold', async () => {
  expect(await runJob(app, new Book(1))).toMatchObject({ outcome: 'acked', connection: 'ledger' });
  await app.close();
  await open({ default: sync(), ledger: memory() } as never);
  expect(await runJob(app, mail(), { priority: 5 })).toMatchObject({ outcome: 'acked' });
  expect(await runJob(app, new Charge(500))).toMatchObject({ outcome: 'released', delaySeconds: 10 });
});

test('what has no wire form is refused as by a push', async () => {
  const noDate = new Date('never');
  await expect(runJob(app, new Fickle(noDate))).rejects.toThrow(UnserializableJobException);
  await expect(runJob(app, mail(), { queue: 'no name' })).rejects.toThrow(InvalidQueueArgumentException);
});

test('what a worker could not rebuild is refused, and does not run', async () => {
  const job = new Fickle(at);
  Fickle.broken = true;
  try {
    await expect(runJob(app, job)).rejects.toThrow(JobReconstructionException);
  } finally {
    Fickle.broken = false;
  }
  expect(await runJob(app, job)).toMatchObject({ outcome: 'acked' });
  expect(await runJob(app, new Wordy(41n))).toMatchObject({ outcome: 'acked' });
  expect(journal.lines).toContain('bigint 41');
});

test('a job that nobody lists is refused with what to do', async () => {
  @Job()
  class Unlisted {
    @Handle()
    handle(): void {}
  }
  await expect(runJob(app, new Unlisted())).rejects.toThrow(JobDeclarationException);
  await expect(runJob(app, new Unlisted())).rejects.toThrow(/Unlisted.*came none.*provideJobs/s);
  await expect(runJob(app, {} as never)).rejects.toThrow(InvalidQueueArgumentException);
});

test('options out of range, an unknown connection and an application without queues are refused', async () => {
  for (const options of [{ attempts: 0 }, { attempts: 1.5 }, { deferrals: -1 }, { connection: 'legder' }]) {
    await expect(runJob(app, mail(), options)).rejects.toThrow(InvalidQueueArgumentException);
  }
  const none = await Test.createTestingModule({}).compile();
  await expect(runJob(none, mail())).rejects.toThrow(QueueConfigurationException);
});

test('attempts that only dead workers explain are refused as in a worker', async () => {
  expect(await runJob(app, new Archive(1), { attempts: 5 })).toMatchObject({
    outcome: 'failed',
    cause: 'crash-limit',
  });
  expect(journal.lines).not.toContain('archived 1 of nobody');
});

test('a module that is not initialised will do, and one that is too', async () => {
  expect(await runJob(app, new Archive(1), { metadata: { tenant: 'acme' } })).toMatchObject({
    outcome: 'acked',
  });
  await app.init();
  await runJob(app, new Archive(2));
  expect(journal.lines).toEqual(expect.arrayContaining(['archived 1 of acme', 'archived 2 of nobody']));
  expect(app.get(KinetisQueueModule, { strict: false })).toBeDefined();
});
