import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConnectionFailed, type PausingBackend, ServerRefused } from '../../lib/contract/index.js';
import { Job } from '../../lib/jobs/index.js';
import { WorkerHealthServer } from '../../lib/worker/index.js';
import { Attempted } from '../support/attempted-backend.js';
import { deferred, eventually } from '../support/eventually.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { LabelledJob, WorkerBench } from '../support/worker-bench.js';

const LEASE = 90;

@Job({ args: ['label', 'secret'], timeoutSeconds: 100_000 })
class Bounded extends LabelledJob {}

function pausing(bench: WorkerBench): PausingBackend {
  return bench.backend.inner as PausingBackend;
}

test('a job that begins is a debug line', async () => {
  const bench = new WorkerBench();
  await bench.push('a');
  await bench.worker().processNext(1);
  expect(bench.logged('job.started')).toMatchObject([
    { level: 'debug', job: 'LabelledJob', queue: 'default', attempts: 1, durationMs: null },
  ]);
  expect(bench.lines.map(({ event }) => event)).toEqual(['job.started', 'job.succeeded']);
});

/** Cap, completed attempts, whether crashes are counted, and how many more deliveries the line promises. */
test.each([
  [0, 0, true, []],
  [0, 1, true, [2]],
  [0, 3, true, [0]],
  [3, 2, true, []],
  [3, 3, true, [2]],
  [0, 4, true, []],
  [0, 1, false, []],
])(
  'with a cap of %i a delivery after %i attempts (crashes counted: %s) says how many are left: %j',
  async (maxAttempts, attempts, counts, left) => {
    const bench = new WorkerBench(new Attempted(attempts, counts));
    await bench.push('a', { maxAttempts });
    await bench.worker({ crashAllowance: 3 }).processNext(1);
    expect(bench.logged('job.reclaimed').map(({ attemptsLeft }) => attemptsLeft)).toEqual(left);
    expect(bench.logged('job.reclaimed').every(({ level }) => level === 'warn')).toBe(true);
  },
);

test('a lease that ended with its worker is told by the next delivery', async () => {
  const clock = { ms: 0 };
  const bench = new WorkerBench(new ScriptedBackend(LEASE, { now: () => clock.ms }));
  const id = await bench.push('a');
  await bench.backend.reserve(['default'], 1);
  clock.ms += LEASE * 1_000;
  await bench.worker().processNext(1);
  expect(bench.logged('job.reclaimed')).toMatchObject([{ id, attempts: 2, maxAttempts: 0, attemptsLeft: 2 }]);
});

test('what runs is listed on /ready and in the line of a stop, longest first, without arguments', async () => {
  const bench = new WorkerBench();
  const gate = deferred();
  bench.handler = () => gate.promise;
  const ids = [await bench.push('first'), await bench.push('second')];
  const worker = bench.worker({ concurrency: 2 });
  const server = new WorkerHealthServer(worker, { port: 0, host: '127.0.0.1', leaseSeconds: LEASE });
  const port = await server.listen();
  const run = worker.run();
  await eventually('both to run', () => bench.begun.length === 2);
  const expected = ids.map((id) => ({
    job: 'LabelledJob',
    id,
    queue: 'default',
    runningSeconds: expect.any(Number),
  }));
  const response = await fetch(`http://127.0.0.1:${port}/ready`);
  const text = await response.text();
  expect(JSON.parse(text)).toEqual({
    status: 'up',
    reached: true,
    stopping: false,
    running: 2,
    jobs: expected,
  });
  expect(text).not.toContain('s3cret');
  worker.stop();
  expect(bench.logged('worker.draining')).toMatchObject([{ running: expected }]);
  gate.resolve();
  await run;
  await server.close();
});

test('no more than a hundred running jobs are listed on /ready, and all are counted', async () => {
  const job = { job: 'Work', id: 'a', queue: 'default', runningSeconds: 1 };
  const status = {
    sinceLastTurnMs: 0,
    pollTimeoutSeconds: 5,
    reached: true,
    stopping: false,
    running: 150,
    jobs: Array.from({ length: 150 }, () => job),
  };
  const server = new WorkerHealthServer({ status }, { port: 0, host: '127.0.0.1', leaseSeconds: LEASE });
  const response = await fetch(`http://127.0.0.1:${await server.listen()}/ready`);
  const body = (await response.json()) as { running: number; jobs: unknown[] };
  expect([body.running, body.jobs.length]).toEqual([150, 100]);
  await server.close();
});

test('a watched queue that is paused is named when the worker starts, and once only', async () => {
  const bench = new WorkerBench();
  await pausing(bench).pauseQueue('mail');
  const worker = bench.worker({ queues: ['mail', 'default'] });
  const run = worker.run();
  await eventually('the line', () => bench.logged('worker.queues-paused').length > 0);
  expect(bench.logged('worker.queues-paused')).toMatchObject([{ level: 'log', queues: ['mail'] }]);
  worker.stop();
  await run;
  expect(bench.logged('worker.queues-paused')).toHaveLength(1);
});

test('a worker whose queues are not paused says nothing of it, and one that cannot find out goes on', async () => {
  const bench = new WorkerBench();
  let asked = 0;
  bench.backend.count = () => {
    asked += 1;
    return Promise.reject(new ConnectionFailed('refused'));
  };
  await bench.push('a');
  expect(await bench.worker({ maxJobs: 1 }).run()).toMatchObject({ exitCode: 0 });
  await eventually('the question', () => asked > 0);
  expect(bench.logged('worker.queues-paused')).toEqual([]);
  expect(asked).toBe(1);
});

test.each([
  [new ConnectionFailed('refused'), 'does not answer'],
  [new ServerRefused('locked'), 'answers, and refuses'],
])('the line of an outage tells a server that refuses from one that is gone: %s', async (error, reason) => {
  const bench = new WorkerBench();
  bench.backend.serverDown = error;
  await bench.worker({ maxConnectionFailures: 1 }).run();
  expect(bench.logged('worker.connection-lost')).toMatchObject([{ reason: expect.stringContaining(reason) }]);
});

test('a handler that was given up on is a line that says what that means', async () => {
  const bench = new WorkerBench(new ScriptedBackend(LEASE), [Brief]);
  const gate = deferred();
  bench.handler = () => gate.promise;
  await bench.queue.push(new Brief('deaf'));
  const processed = bench.worker({ timeoutGraceSeconds: 0 }).processNext(1);
  await eventually('the line', () => bench.logged('job.abandoned').length > 0);
  expect(bench.logged('job.abandoned')).toMatchObject([
    { advice: expect.stringContaining('keeps its slot') },
  ]);
  gate.resolve();
  await processed;
});

@Job({ args: ['label', 'secret'], timeoutSeconds: 0.01 })
class Brief extends LabelledJob {}

test('a worker whose slots are all abandoned says what to do', async () => {
  const bench = new WorkerBench(new ScriptedBackend(LEASE), [Brief]);
  const gate = deferred();
  bench.handler = () => gate.promise;
  await bench.queue.push(new Brief('deaf'));
  await bench.worker({ timeoutGraceSeconds: 0 }).run();
  expect(bench.logged('worker.stopped')).toMatchObject([
    { exitCode: 1, reason: expect.stringMatching(/slots.*start it again.*signal/) },
  ]);
  gate.resolve();
});

for (const [target, warned] of [
  [LabelledJob, 1],
  [Bounded, 0],
] as const) {
  test(`a job of ${target.name} that runs for ten leases is warned about ${warned} times`, async () => {
    vi.useFakeTimers();
    const bench = new WorkerBench(new ScriptedBackend(LEASE), [target]);
    const gate = deferred();
    bench.handler = () => gate.promise;
    await bench.queue.push(new target('slow'));
    const processed = bench.worker().processNext(1);
    await vi.advanceTimersByTimeAsync(10 * LEASE * 1_000 - 1_000);
    expect(bench.logged('job.still-running')).toEqual([]);
    await vi.advanceTimersByTimeAsync(20 * LEASE * 1_000);
    expect(bench.logged('job.still-running')).toHaveLength(warned);
    gate.resolve();
    await vi.advanceTimersByTimeAsync(0);
    await processed;
  });
}

beforeEach(() => void vi.useRealTimers());
afterEach(() => void vi.useRealTimers());
