import { expect, test } from 'vitest';
import { DecodingDefectException } from '../../lib/contract/index.js';
import { JobDeferred, JobMalformed } from '../../lib/events/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { SendingBackend } from '../support/sending-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

async function benchWith(jobs: number) {
  const backend = new SendingBackend();
  const bench = new WorkerBench(backend);
  for (let index = 0; index < jobs; index += 1) await bench.push(`${index}`);
  return { backend, bench };
}

test('a worker of one queue is sent its jobs, and never asks for them', async () => {
  const { backend, bench } = await benchWith(3);
  const worker = bench.worker({ concurrency: 2 });
  const run = worker.run();
  await eventually('what was there to be done', () => backend.applied.length === 3);
  await bench.push('later');
  await eventually('what is pushed later to be done', () => backend.applied.length === 4);
  worker.stop();
  expect(await run).toEqual({ exitCode: 0, reason: 'it was told to stop' });
  expect(bench.begun).toEqual(['0', '1', '2', 'later']);
  expect(backend.reserveLimits).toEqual([]);
  expect(backend.consumers).toMatchObject([{ queue: 'default', options: { prefetch: 2 }, open: false }]);
});

test('several queues are swept in their order, and processNext asks for its one job', async () => {
  const { backend, bench } = await benchWith(1);
  await bench.push('first', { queue: 'high' });
  await bench.worker({ queues: ['high', 'default'], maxJobs: 2 }).run();
  expect(bench.begun).toEqual(['first', '0']);
  await bench.push('alone');
  expect(await bench.worker().processNext(1)).toBe(true);
  expect(backend.consumers).toEqual([]);
});

test('a backend that has to be asked is asked, also for one queue', async () => {
  const bench = new WorkerBench();
  await bench.push('a');
  await bench.worker({ maxJobs: 1 }).run();
  expect(bench.backend.reserveLimits).toEqual([1]);
});

test('there are never more handlers than slots, and every slot is used', async () => {
  const jobs = 60;
  const { backend, bench } = await benchWith(jobs);
  const full = deferred();
  let running = 0;
  let most = 0;
  bench.handler = async () => {
    running += 1;
    most = Math.max(most, running);
    if (running === 5) full.resolve();
    await full.promise;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    running -= 1;
  };
  // A slot is free later than its job is settled, and so than the next one comes.
  bench.hooks.dispose = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
  const worker = bench.worker({ concurrency: 5 });
  const seen: number[] = [];
  bench.hooks.open = () => void seen.push(worker.status.running);
  const run = worker.run();
  await eventually('all to be done', () => backend.applied.length === jobs);
  worker.stop();
  await run;
  expect(most).toBe(5);
  expect(Math.max(...seen)).toBe(5);
  expect(new Set(bench.begun).size).toBe(jobs);
});

test.each([
  [1, 1],
  [1, 4],
  [4, 3],
  [4, 4],
  [4, 5],
  [4, 11],
])(
  'with %i slots, maxJobs %i is met, and nothing more is ever taken from the queue',
  async (concurrency, maxJobs) => {
    const { backend, bench } = await benchWith(maxJobs + 10);
    bench.handler = () => new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 2));
    bench.hooks.dispose = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    const run = bench.worker({ concurrency, maxJobs }).run();
    expect(await run).toEqual({ exitCode: 0, reason: `${maxJobs} deliveries were handled (maxJobs)` });
    expect(bench.begun).toHaveLength(maxJobs);
    expect(backend.applied).toEqual(Array.from({ length: maxJobs }, () => 'ack'));
    expect(await backend.inner.count('default')).toMatchObject({ ready: 10 });
    expect(backend.consumers).toHaveLength(maxJobs > concurrency ? 1 : 0);
  },
);

test('maxJobs is met too where the server hears late that it shall send no more', async () => {
  const { backend, bench } = await benchWith(40);
  const heard = deferred();
  let batch = deferred();
  backend.delayStop = heard.promise;
  bench.handler = () => batch.promise;
  const endBatch = () => {
    batch.resolve();
    batch = deferred();
  };
  const run = bench.worker({ concurrency: 4, maxJobs: 11 }).run();
  await eventually('as many as there are slots to run', () => bench.begun.length === 4);
  endBatch();
  await eventually('the consumer to be stopped', () => !backend.consumer.open);
  expect(bench.begun.length).toBeGreaterThan(4);
  endBatch();
  await eventually('all that there is a prefetch for', () => backend.sent >= 11);
  heard.resolve();
  await eventually('the last to run', () => bench.begun.length === 11);
  endBatch();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(backend.applied).toEqual(Array.from({ length: 11 }, () => 'ack'));
});

test('near maxJobs, what has come and waits for a slot is run before anything is asked for', async () => {
  const { backend, bench } = await benchWith(3);
  const disposal = deferred();
  bench.hooks.dispose = () => disposal.promise;
  const run = bench.worker({ maxJobs: 2 }).run();
  await eventually('the first to be settled, and the second to come', () => backend.sent === 2);
  await eventually('the consumer to be stopped', () => !backend.consumer.open);
  disposal.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['0', '1']);
  expect(backend.applied).toEqual(['ack', 'ack']);
});

test('once takes one delivery and has no consumer', async () => {
  const { backend, bench } = await benchWith(2);
  expect(await bench.worker({ once: true, concurrency: 5 }).run()).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['0']);
  expect(backend.consumers).toEqual([]);
});

test('maxTimeSeconds ends an idle consumer', async () => {
  const { backend, bench } = await benchWith(0);
  const result = await bench.worker({ maxTimeSeconds: 0.02, pollTimeoutSeconds: 3_600 }).run();
  expect(result).toMatchObject({ exitCode: 0, reason: expect.stringContaining('maxTimeSeconds') });
  expect(backend.consumer.open).toBe(false);
});

test('maxMemoryMb ends the run after a job; the next, sent by then, goes back with its attempt unspent', async () => {
  const { backend, bench } = await benchWith(2);
  const result = await bench.worker({ maxMemoryMb: 1 }, [JobDeferred]).run();
  expect(result).toMatchObject({ exitCode: 0, reason: expect.stringContaining('maxMemoryMb') });
  expect(bench.begun).toEqual(['0']);
  expect(backend.applied).toEqual(['ack', 'release']);
  expect(bench.told).toEqual(['JobDeferred']);
  const next = new WorkerBench(backend);
  await next.worker().processNext(1);
  expect(next.logged('job.succeeded')).toMatchObject([{ attempts: 1 }]);
});

test('a job that comes when a limit is reached is not begun, although there is a slot', async () => {
  const { backend, bench } = await benchWith(1);
  const worker = bench.worker({ maxMemoryMb: 1 });
  const run = worker.run();
  await eventually('the first job to end', () => bench.disposed === 1 && worker.status.running === 0);
  await bench.push('too late');
  expect(await run).toMatchObject({ reason: expect.stringContaining('maxMemoryMb') });
  expect(bench.begun).toEqual(['0']);
  expect(backend.applied).toEqual(['ack', 'release']);
});

test('an idle consumer is alive and ready: its loop turns', async () => {
  const { backend, bench } = await benchWith(0);
  const worker = bench.worker({ pollTimeoutSeconds: 0.03 });
  const run = worker.run();
  await eventually('the consumer', () => backend.consumers[0]?.open === true);
  for (let turn = 0; turn < 3; turn += 1) {
    await eventually('some time to pass', () => worker.status.sinceLastTurnMs > 10);
    await eventually('the loop to turn', () => worker.status.sinceLastTurnMs < 10);
  }
  expect(worker.status.reached).toBe(true);
  worker.stop();
  await run;
});

test('a loop whose slots are all taken is alive too', async () => {
  const { bench } = await benchWith(2);
  const gate = deferred();
  bench.handler = () => gate.promise;
  const worker = bench.worker({ pollTimeoutSeconds: 0.03 });
  const run = worker.run();
  await eventually('a job to run', () => bench.begun.length === 1);
  for (let turn = 0; turn < 3; turn += 1) {
    await eventually('some time to pass', () => worker.status.sinceLastTurnMs > 10);
    await eventually('the loop to turn', () => worker.status.sinceLastTurnMs < 10);
  }
  worker.stop();
  gate.resolve();
  await run;
});

test('an item that is no job is told, and the jobs behind it are run', async () => {
  const { backend, bench } = await benchWith(0);
  const worker = bench.worker({}, [JobMalformed]);
  const run = worker.run();
  await eventually('the consumer', () => backend.consumers[0]?.open === true);
  await backend.send(ScriptedBackend.malformedItem());
  await bench.push('behind');
  await eventually('the job behind to be done', () => bench.begun.length === 1);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.told).toEqual(['JobMalformed']);
});

test('a defect of the decoder stops the worker with 70, after what runs has ended; what it met goes back', async () => {
  const { backend, bench } = await benchWith(1);
  const gate = deferred();
  bench.handler = () => gate.promise;
  const worker = bench.worker();
  const run = worker.run();
  await eventually('a job to run', () => bench.begun.length === 1);
  await backend.send(ScriptedBackend.defectItem());
  await eventually('the worker to stop', () => worker.stopping);
  gate.resolve();
  expect(await run).toMatchObject({ exitCode: 70, error: expect.any(DecodingDefectException) });
  expect(backend.applied).toEqual(['release', 'ack']);
});
