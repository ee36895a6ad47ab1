import { setImmediate as eventLoopTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FailJobException } from '../../lib/contract/index.js';
import { JobDeferred, JobFailedPermanently, JobReleased, JobSucceeded } from '../../lib/events/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobSucceeded, JobReleased, JobFailedPermanently, JobDeferred];

test('a stop ends the wait for work at once', async () => {
  const bench = new WorkerBench();
  const worker = bench.worker({ pollTimeoutSeconds: 3_600 });
  const run = worker.run();
  await eventually('the worker to look for work', () => bench.backend.reserveLimits.length > 0);
  worker.stop();
  worker.stop();
  expect(await run).toEqual({ exitCode: 0, reason: 'it was told to stop' });
});

test('a stop lets what runs finish and settle, and takes nothing new', async () => {
  const bench = new WorkerBench();
  const gate = deferred();
  bench.handler = () => gate.promise;
  await bench.push('a');
  await bench.push('b');
  const worker = bench.worker();
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  worker.stop();
  gate.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['a']);
  expect(bench.backend.applied).toEqual(['ack']);
  expect(bench.logged('worker.draining')).toMatchObject([
    { running: [{ job: 'LabelledJob', queue: 'default' }], forcedInSeconds: expect.any(Number) },
  ]);
});

test('a stop does not end the run before what runs has ended', async () => {
  const bench = new WorkerBench();
  const gate = deferred();
  bench.handler = () => gate.promise;
  await bench.push('a');
  // A free slot: the loop waits for nothing either.
  const worker = bench.worker({ concurrency: 2 });
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  worker.stop();
  // Ample: nothing but the job is waited for.
  for (let turns = 0; turns < 100; turns += 1) await eventLoopTurn();
  expect(bench.logged('worker.stopped')).toEqual([]);
  gate.resolve();
  await run;
  expect(bench.backend.applied).toEqual(['ack']);
});

test('what a reserve in flight brings after a stop still runs', async () => {
  const bench = new WorkerBench();
  const reply = deferred();
  bench.backend.holdReserve = reply.promise;
  await bench.push('a');
  await bench.push('b');
  const worker = bench.worker({ concurrency: 2 });
  const run = worker.run();
  await eventually('the reserve to be sent', () => bench.backend.reserveLimits.length === 1);
  worker.stop();
  reply.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['a', 'b']);
});

test('a stop does not wait for a server that does not answer a connect', async () => {
  const bench = new WorkerBench();
  bench.backend.nextConnects.push(new Promise(() => undefined));
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the connect', () => bench.backend.connects === 1);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
});

test('a worker that was stopped before it ran ends at once, and processNext takes nothing', async () => {
  const bench = new WorkerBench();
  await bench.push('a');
  const worker = bench.worker();
  worker.stop();
  expect(await worker.run()).toMatchObject({ exitCode: 0 });
  expect(await worker.processNext(1)).toBe(false);
  expect(bench.begun).toEqual([]);
});

test('a forced stop aborts the signal, gives the job back with its attempt unspent, and ends with 1', async () => {
  const bench = new WorkerBench();
  const gate = deferred();
  let signal: AbortSignal | undefined;
  bench.handler = (delivery) => {
    ({ signal } = delivery);
    return gate.promise;
  };
  await bench.push('a');
  const worker = bench.worker({}, OUTCOMES);
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  await worker.forceStop();
  expect(await run).toEqual({
    exitCode: 1,
    reason: 'it was forced to stop; 1 of its handlers did not end when its signal told it to',
  });
  expect(signal?.aborted).toBe(true);
  expect(bench.backend.settlements).toMatchObject([
    { operation: 'release', settlement: { changes: {}, delaySeconds: 0 }, answer: 'applied' },
  ]);
  expect(bench.told).toEqual(['JobDeferred']);
  // The handler ends after all: nothing is settled twice, and its scope is disposed.
  gate.resolve();
  await eventually('the scope to be disposed', () => bench.disposed === 1);
  expect(bench.backend.settlements).toHaveLength(1);
  const next = new WorkerBench(bench.backend);
  await next.worker().processNext(1);
  expect(next.logged('job.succeeded')).toMatchObject([{ attempts: 1 }]);
});

test('a handler that ends by its signal within the grace is given back too, even on its last attempt', async () => {
  const bench = new WorkerBench();
  bench.handler = (delivery) =>
    new Promise((_resolve, reject) => {
      delivery.signal.addEventListener('abort', () => reject(delivery.signal.reason));
    });
  await bench.push('a', { maxAttempts: 1 });
  const worker = bench.worker({}, OUTCOMES);
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  await worker.forceStop();
  expect(await run).toMatchObject({ exitCode: 1 });
  expect(bench.backend.settlements).toMatchObject([{ operation: 'release', settlement: { changes: {} } }]);
  expect(bench.told).toEqual(['JobDeferred']);
});

test('a handler that returns, or fails for good, within the grace has its way', async () => {
  for (const [end, expected] of [
    [() => undefined, 'ack'],
    [() => Promise.reject(new FailJobException('no use')), 'fail'],
  ] as const) {
    const bench = new WorkerBench();
    bench.handler = (delivery) =>
      new Promise((resolve) => {
        delivery.signal.addEventListener('abort', () => resolve(end()));
      });
    await bench.push('a');
    const worker = bench.worker();
    const run = worker.run();
    await eventually('a to run', () => bench.begun.length === 1);
    await worker.forceStop();
    expect(await run).toMatchObject({ exitCode: 1 });
    expect(bench.backend.applied).toEqual([expected]);
  }
});

test('a stop is forced when running jobs take longer than the shutdown timeout', async () => {
  const bench = new WorkerBench();
  bench.handler = () => new Promise(() => undefined);
  await bench.push('a');
  const worker = bench.worker({ shutdownTimeoutSeconds: 0.01 });
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 1 });
  expect(bench.backend.applied).toEqual(['release']);
});

test('a delivery whose settlement is under way at a forced stop is not settled a second time', async () => {
  const bench = new WorkerBench();
  const answer = deferred();
  bench.backend.nextSettlements.push(answer.promise);
  await bench.push('a');
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the ack to be under way', () => bench.backend.nextSettlements.length === 0);
  await worker.forceStop();
  expect(await run).toMatchObject({ exitCode: 1 });
  answer.resolve();
  await eventually('the delivery to end', () => bench.disposed === 1);
  expect(bench.backend.settlements).toMatchObject([{ operation: 'ack' }]);
});

test('what a reserve brings after a forced stop is given back without being run', async () => {
  const bench = new WorkerBench();
  const reply = deferred();
  bench.backend.holdReserve = reply.promise;
  await bench.push('a');
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the reserve to be sent', () => bench.backend.reserveLimits.length === 1);
  await worker.forceStop();
  expect(await run).toMatchObject({ exitCode: 1 });
  reply.resolve();
  await eventually('the job to be given back', () => bench.backend.settlements.length === 1);
  expect(bench.begun).toEqual([]);
  expect(bench.backend.applied).toEqual(['release']);
});

test('a server that takes nothing back does not hold up a forced stop', async () => {
  const bench = new WorkerBench();
  bench.handler = () => new Promise(() => undefined);
  bench.backend.nextSettlements.push(new Promise(() => undefined));
  await bench.push('a');
  const worker = bench.worker();
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  await worker.forceStop();
  expect(await run).toMatchObject({ exitCode: 1 });
});

test('a forced stop of an idle worker ends with 1, before it ran as well', async () => {
  const idle = new WorkerBench().worker();
  const run = idle.run();
  await idle.forceStop();
  expect(await run).toMatchObject({ exitCode: 1 });
  const unborn = new WorkerBench().worker();
  await unborn.forceStop();
  expect(await unborn.run()).toMatchObject({ exitCode: 1 });
});
