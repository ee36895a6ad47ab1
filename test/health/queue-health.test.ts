import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { ServiceUnavailableException } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { memory } from '../../lib/backends/memory/index.js';
import {
  type BackendContext,
  ConnectionFailed,
  encodeBody,
  InvalidQueueArgumentException,
  newHeader,
  type QueueBackend,
  type QueueCounts,
  SchemaOutdatedException,
} from '../../lib/contract/index.js';
import { KinetisQueueHealthModule, QueueHealthIndicator } from '../../lib/health.js';
import { ConnectionDirectory, QueueConnection } from '../../lib/queue/index.js';

const SECRET = 'hunter2';
const silent = { warn: () => {}, error: () => {} };

let app: TestingModule;
let health: QueueHealthIndicator;
let backend: QueueBackend;
let nowMs: number;
let answer: (() => Promise<QueueCounts>) | null;
let pushes = 0;

beforeEach(async () => {
  nowMs = 1_000_000;
  answer = null;
  const context = { connection: 'default', warn: () => {} } as Partial<BackendContext> as BackendContext;
  backend = await memory({ clock: { now: () => nowMs } })(context);
  const count = backend.count.bind(backend);
  vi.spyOn(backend, 'count').mockImplementation((queue) => (answer === null ? count(queue) : answer()));
  const directory = new ConnectionDirectory();
  for (const name of ['default', 'ledger']) {
    directory.add(new QueueConnection({ name, backend, reporter: silent }));
  }
  app = await Test.createTestingModule({
    imports: [TerminusModule.forRoot({ logger: false }), KinetisQueueHealthModule],
    providers: [{ provide: ConnectionDirectory, useValue: directory }],
  }).compile();
  health = app.get(QueueHealthIndicator);
});

afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

async function push(jobs: number, delaySeconds = 0): Promise<void> {
  const entries = Array.from({ length: jobs }, () => {
    const id = (pushes += 1).toString(16).padStart(32, '0');
    const body = { id, pushedAt: new Date().toISOString(), class: 'Some', args: {}, maxAttempts: null };
    return {
      id,
      queue: 'mail',
      delaySeconds,
      header: newHeader({ leaseSeconds: null, priority: 0, uniqueKey: null }),
      body: encodeBody({ ...body, metadata: {}, chain: [] }),
    };
  });
  await backend.store(entries);
}

function failWith(error: unknown): void {
  answer = async () => {
    throw error;
  };
}

test('a backend that answers is up, by the name of its connection', async () => {
  expect(await health.connectionCheck('queue')).toEqual({ queue: { status: 'up', connection: 'default' } });
  expect(await health.connectionCheck('queue', { connection: 'ledger' })).toEqual({
    queue: { status: 'up', connection: 'ledger' },
  });
});

test('an unreachable backend is down, with its code and without the message of its driver', async () => {
  failWith(new ConnectionFailed(`connect redis://admin:${SECRET}@10.0.0.7 refused`));
  const answers = [
    await health.connectionCheck('queue'),
    await health.backlogCheck('queue', { queue: 'mail', maxWaiting: 1 }),
  ];
  for (const { queue } of answers) {
    expect(queue).toMatchObject({
      status: 'down',
      error: 'QUEUE_CONNECTION_FAILED',
      message: 'The backend could not be reached.',
    });
  }
  expect(JSON.stringify(answers)).not.toContain(SECRET);
});

test('an outdated schema is down and says what to do', async () => {
  failWith(new SchemaOutdatedException('table x'));
  const { queue } = await health.connectionCheck('queue');
  expect(queue).toMatchObject({ status: 'down', error: 'SCHEMA_OUTDATED' });
  expect(queue['message']).toContain('run the migrations');
});

test.each([
  [
    'a driver error with a code',
    Object.assign(new Error(`at ${SECRET}`), { code: 'ECONNREFUSED' }),
    'ECONNREFUSED',
  ],
  [
    'a code and a name that hold text',
    Object.assign(new Error(), { code: `password=${SECRET}`, name: `E ${SECRET}` }),
    'Error',
  ],
  ['a thrown text', SECRET, 'Error'],
  [
    'an error whose code cannot be read',
    Object.defineProperty(new Error(SECRET), 'code', {
      get: () => {
        throw new Error(SECRET);
      },
    }),
    'Error',
  ],
])('%s shows no more than a code or a class name', async (_, error, shown) => {
  failWith(error);
  const result = await health.connectionCheck('queue');
  expect(result.queue).toMatchObject({ status: 'down', error: shown });
  expect(JSON.stringify(result)).not.toContain(SECRET);
});

test('a backend that throws before it answers a promise is down', async () => {
  answer = () => {
    throw new ConnectionFailed('at once');
  };
  expect((await health.connectionCheck('queue')).queue.status).toBe('down');
});

test('a slow backend is down at the timeout, and its late error is nobody else’s', async () => {
  vi.useFakeTimers();
  let fail: (error: Error) => void = () => {};
  answer = () => new Promise((_, reject) => (fail = reject));
  const checked = health.connectionCheck('queue', { timeoutMs: 200 });
  await vi.advanceTimersByTimeAsync(200);
  expect((await checked).queue).toMatchObject({
    status: 'down',
    error: 'TIMEOUT',
    message: 'No answer within 200 ms.',
  });
  const unhandled = vi.fn<() => void>();
  process.once('unhandledRejection', unhandled);
  fail(new Error('too late'));
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('no timer is left by a check that was answered, refused or late', async () => {
  vi.useFakeTimers();
  await health.connectionCheck('queue');
  expect(vi.getTimerCount()).toBe(0);
  failWith(new ConnectionFailed('gone'));
  await health.connectionCheck('queue');
  expect(vi.getTimerCount()).toBe(0);
  answer = () => new Promise(() => {});
  const late = health.connectionCheck('queue', { timeoutMs: 50 });
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(50);
  await late;
  expect(vi.getTimerCount()).toBe(0);
});

test('a queue is up at its limit of waiting jobs and down above it, with the numbers', async () => {
  const options = { queue: 'mail', maxWaiting: 2 };
  await push(2);
  expect(await health.backlogCheck('mail', options)).toEqual({
    mail: {
      status: 'up',
      connection: 'default',
      queue: 'mail',
      waiting: 2,
      delayed: 0,
      reserved: 0,
      failed: 0,
      oldestSeconds: 0,
      paused: false,
      maxWaiting: 2,
    },
  });
  await push(1);
  expect((await health.backlogCheck('mail', options)).mail).toMatchObject({
    status: 'down',
    waiting: 3,
    message: 'More than 2 jobs are waiting.',
  });
});

test('jobs whose time has not come are shown and not judged', async () => {
  await push(3, 60);
  const options = { queue: 'mail', maxWaiting: 0, maxOldestSeconds: 0 };
  expect((await health.backlogCheck('mail', options)).mail).toMatchObject({
    status: 'up',
    waiting: 0,
    delayed: 3,
  });
});

test('a job that has waited longer than the limit makes its queue down', async () => {
  const options = { queue: 'mail', maxOldestSeconds: 30 };
  await push(1);
  nowMs += 30_000;
  expect((await health.backlogCheck('mail', options)).mail).toMatchObject({
    status: 'up',
    oldestSeconds: 30,
  });
  nowMs += 1_000;
  expect((await health.backlogCheck('mail', options)).mail).toMatchObject({
    status: 'down',
    oldestSeconds: 31,
    message: 'A job has been waiting for more than 30 s.',
  });
});

test('a queue that is down and paused says that it is paused', async () => {
  const counts = { ready: 1, delayed: 0, reserved: 0, failed: 0, oldestReadySeconds: 0 };
  answer = () => Promise.resolve({ ...counts, paused: true });
  const { mail } = await health.backlogCheck('mail', { queue: 'mail', maxWaiting: 0 });
  expect(mail).toMatchObject({
    status: 'down',
    paused: true,
    message: 'More than 0 jobs are waiting. The queue is paused: resume it with QueueAdmin.',
  });
});

test('an age that the backend cannot tell is not taken for a young one', async () => {
  const counts = { ready: 1, delayed: null, reserved: null, failed: null, oldestReadySeconds: null };
  answer = () => Promise.resolve({ ...counts, paused: false });
  const { mail } = await health.backlogCheck('mail', { queue: 'mail', maxOldestSeconds: 30 });
  expect(mail).toMatchObject({ status: 'down', message: expect.stringContaining('use maxWaiting') });
});

test.each([
  ['a queue that is no name', { queue: 'no name', maxWaiting: 1 }],
  ['no limit', { queue: 'mail' }],
  ['a negative limit', { queue: 'mail', maxWaiting: -1 }],
  ['a limit that is no number', { queue: 'mail', maxOldestSeconds: Number.NaN }],
  ['a timeout of 0', { queue: 'mail', maxWaiting: 1, timeoutMs: 0 }],
  ['a timeout that a timer cannot hold', { queue: 'mail', maxWaiting: 1, timeoutMs: 2 ** 31 }],
  ['an unknown connection', { queue: 'mail', maxWaiting: 1, connection: 'nowhere' }],
])('%s is a mistake in code and not bad health', async (_, options) => {
  await expect(health.backlogCheck('mail', options)).rejects.toThrow(InvalidQueueArgumentException);
  expect(backend.count).not.toHaveBeenCalled();
});

test('terminus answers 503 for a backlog and goes back to 200 without it', async () => {
  const checks = app.get(HealthCheckService);
  const check = () => checks.check([() => health.backlogCheck('mail', { queue: 'mail', maxWaiting: 0 })]);
  expect((await check()).status).toBe('ok');
  await push(1);
  await expect(check()).rejects.toThrow(ServiceUnavailableException);
});
