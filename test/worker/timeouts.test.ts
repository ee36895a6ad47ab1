import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FailJobException, JobTimeoutException } from '../../lib/contract/index.js';
import { JobFailedPermanently, JobReleased, JobSucceeded } from '../../lib/events/index.js';
import { Job } from '../../lib/jobs/index.js';
import type { WorkerOptions } from '../../lib/worker/index.js';
import { deferred } from '../support/eventually.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

const LEASE = 9;
const TIMEOUT = 20;
const GRACE = 5;

@Job({ args: ['label'], timeoutSeconds: TIMEOUT })
class Limited {
  constructor(readonly label: string) {}

  handle(): void {}
}

@Job({ args: ['label'] })
class Unlimited {
  constructor(readonly label: string) {}

  handle(): void {}
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** In small steps: the loop of a run waits for turns of the event loop too, which no fake timer makes. */
async function pass(seconds: number): Promise<void> {
  for (let step = 0; step < 10; step += 1) {
    await vi.advanceTimersByTimeAsync(seconds * 100);
    await turns();
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await vi.advanceTimersByTimeAsync(0);
  }
}

const OUTCOMES = [JobSucceeded, JobReleased, JobFailedPermanently];
const bench = (): WorkerBench => new WorkerBench(new ScriptedBackend(LEASE), [Limited, Unlimited]);

/** One step of a worker with a handler that runs until it is told to end. */
async function limited(options: Partial<WorkerOptions> = {}, maxAttempts = 1) {
  const held = bench();
  const handler = deferred<unknown>();
  let signal: AbortSignal | null = null;
  held.handler = (delivery) => {
    signal = delivery.signal;
    return handler.promise;
  };
  await held.queue.push(new Limited('slow'), { maxAttempts });
  const worker = held.worker(options, OUTCOMES);
  let ended = false;
  const processed = worker.processNext(1).finally(() => (ended = true));
  await pass(0);
  return {
    bench: held,
    worker,
    handler,
    processed,
    aborted: () => signal?.reason as unknown,
    ended: () => ended,
    settled: () => held.backend.settlements.filter(({ operation }) => operation !== 'extend'),
  };
}

test('the signal aborts when the time is over, and a handler that then ends in time is settled once', async () => {
  const run = await limited();
  await pass(TIMEOUT - 0.1);
  expect(run.aborted()).toBeUndefined();
  await pass(0.2);
  expect(run.aborted()).toBeInstanceOf(JobTimeoutException);
  expect(run.settled()).toEqual([]);
  run.handler.resolve('all done');
  await run.processed;
  expect(run.settled()).toMatchObject([
    { operation: 'fail', settlement: { failure: { cause: 'exhausted', error: 'JobTimeoutException' } } },
  ]);
  expect(run.bench.told).toEqual(['JobFailedPermanently']);
  expect(run.bench.events[0]).toMatchObject({ error: run.aborted() });
  expect(run.bench.disposed).toBe(1);
});

test.each([[new Error('aborted')], [new FailJobException('never again')]])(
  'whatever a handler throws after its time, it is the timeout that fails the job below its cap (%s)',
  async (error) => {
    const run = await limited({}, 2);
    await pass(TIMEOUT);
    run.handler.reject(error);
    await run.processed;
    expect(run.settled()).toMatchObject([{ operation: 'release', settlement: { changes: { attempts: 1 } } }]);
    expect(run.bench.events).toMatchObject([{ error: expect.any(JobTimeoutException) }]);
  },
);

test('a handler that ends before its time is over is none of this', async () => {
  const run = await limited();
  await pass(TIMEOUT - 1);
  run.handler.resolve(undefined);
  await run.processed;
  await pass(TIMEOUT);
  expect(run.bench.told).toEqual(['JobSucceeded']);
  expect(run.settled()).toHaveLength(1);
});

test('the lease is renewed while a handler has its grace, and not after the settlement', async () => {
  const run = await limited({ concurrency: 2 });
  await pass(TIMEOUT + GRACE);
  const before = run.bench.backend.settlements.length;
  expect(before - 1).toBeGreaterThanOrEqual(Math.floor((TIMEOUT + GRACE - 1) / (LEASE / 3)));
  expect(run.settled()).toHaveLength(1);
  await pass(2 * LEASE);
  expect(run.bench.backend.settlements).toHaveLength(before);
  run.handler.resolve(undefined);
  await run.processed;
});

test('a handler that ignores its signal is settled once when the grace ends, and keeps its scope until it ends', async () => {
  const run = await limited({ concurrency: 2 });
  await pass(TIMEOUT + GRACE - 0.1);
  expect(run.settled()).toEqual([]);
  await pass(0.2);
  expect(run.settled()).toMatchObject([{ operation: 'fail' }]);
  expect(run.bench.told).toEqual(['JobFailedPermanently']);
  expect(run.bench.logged('job.abandoned')).toMatchObject([{ level: 'error', job: 'Limited' }]);
  expect([run.bench.disposed, run.ended(), run.worker.status.running]).toEqual([0, false, 1]);
  run.handler.resolve('late');
  await run.processed;
  expect(run.settled()).toHaveLength(1);
  expect(run.bench.told).toEqual(['JobFailedPermanently']);
  expect([run.bench.disposed, run.worker.status.running]).toEqual([1, 0]);
});

test('the grace is an option of the worker; with 0 the handler is given up at once', async () => {
  const run = await limited({ concurrency: 2, timeoutGraceSeconds: 0 });
  await pass(TIMEOUT + 0.1);
  expect(run.settled()).toHaveLength(1);
  run.handler.resolve(undefined);
  await run.processed;
});

/** A worker over handlers that never end of their own, told by label. */
async function stubborn(labels: readonly string[], options: Partial<WorkerOptions>) {
  const held = bench();
  const handlers = new Map(labels.map((label) => [label, deferred<unknown>()]));
  held.handler = (_delivery, { label }) => handlers.get(label)?.promise;
  for (const label of labels) await held.queue.push(new Limited(label));
  const worker = held.worker(options, OUTCOMES);
  const run = worker.run();
  await pass(0.1);
  return { bench: held, worker, run, end: (label: string) => handlers.get(label)?.resolve(undefined) };
}

test('an abandoned handler keeps its slot: there are never more handlers than slots', async () => {
  const { bench: held, worker, run, end } = await stubborn(['deaf'], { concurrency: 2 });
  await pass(TIMEOUT + GRACE + 1);
  let alive = 0;
  let most = 0;
  held.handler = () => {
    alive += 1;
    most = Math.max(most, alive);
    return new Promise<void>((resolve) => setTimeout(resolve, 10)).then(() => void (alive -= 1));
  };
  for (let index = 0; index < 4; index += 1) await held.queue.push(new Unlimited(`next ${index}`));
  await pass(2);
  expect([most, held.begun.length, worker.stopping]).toEqual([1, 5, false]);
  end('deaf');
  await pass(0.1);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
});

test('a worker whose slots are all abandoned stops with 1, after every settlement was told', async () => {
  const { bench: held, run } = await stubborn(['a', 'b', 'waits'], { concurrency: 2 });
  await pass(TIMEOUT + GRACE + 1);
  expect(await run).toMatchObject({ exitCode: 1, reason: expect.stringContaining('slots') });
  expect(held.told).toEqual(['JobFailedPermanently', 'JobFailedPermanently']);
  expect(held.begun).toEqual(['a', 'b']);
  expect(await held.queue.counts()).toMatchObject({ ready: 1, reserved: 0, failed: 2 });
});

test('a stop waits for an abandoned handler no longer than the shutdown timeout, then ends with 1', async () => {
  const { worker, run } = await stubborn(['deaf'], { concurrency: 2, shutdownTimeoutSeconds: 10 });
  await pass(TIMEOUT + GRACE + 1);
  worker.stop();
  await pass(12);
  expect(await run).toMatchObject({ exitCode: 1 });
});

test('a run that has reached its limit does not wait for an abandoned handler for ever', async () => {
  const options = { concurrency: 2, maxJobs: 1, shutdownTimeoutSeconds: 10 };
  const { bench: held, run } = await stubborn(['deaf'], options);
  await pass(TIMEOUT + GRACE + 13);
  expect(await run).toMatchObject({ exitCode: 1 });
  expect(held.backend.applied.filter((operation) => operation !== 'extend')).toEqual(['fail']);
});

test('nor does one that reaches its limit after a handler was abandoned', async () => {
  const options = { concurrency: 2, maxJobs: 2, shutdownTimeoutSeconds: 10 };
  const { bench: held, run } = await stubborn(['deaf'], options);
  await pass(TIMEOUT + GRACE + 1);
  await held.queue.push(new Unlimited('quick'));
  await pass(12);
  expect(await run).toMatchObject({ exitCode: 1 });
  expect(held.told).toEqual(['JobFailedPermanently', 'JobSucceeded']);
});

test('a forced stop that has given a delivery back settles it no second time when its time is over', async () => {
  const { bench: held, worker, run } = await stubborn(['slow'], { concurrency: 1 });
  const forced = worker.forceStop();
  await pass(2);
  await forced;
  expect(await run).toMatchObject({ exitCode: 1 });
  await pass(TIMEOUT + GRACE);
  expect(held.backend.applied.filter((operation) => operation !== 'extend')).toEqual(['release']);
  expect(held.told).toEqual([]);
});

test('a defect of the settlement of an abandoned handler stops the worker with 70', async () => {
  const { bench: held, run } = await stubborn(['deaf'], {
    concurrency: 2,
    renewLeases: false,
    shutdownTimeoutSeconds: 3,
  });
  const defect = new TypeError('a defect of the backend');
  held.backend.nextSettlements.push(defect);
  await pass(TIMEOUT + GRACE + 6);
  expect(await run).toMatchObject({ exitCode: 70, error: defect });
});
