import { expect, test } from 'vitest';
import { WorkerBench } from '../support/worker-bench.js';

test('a job that returns is acked and its scope disposed', async () => {
  const bench = new WorkerBench();
  await bench.push('a');
  expect(await bench.worker().processNext(1)).toBe(true);
  expect(bench.begun).toEqual(['a']);
  expect(bench.backend.applied).toEqual(['ack']);
  expect(bench.disposed).toBe(1);
});

test('a job that throws below its cap is released, and at it fails', async () => {
  const bench = new WorkerBench();
  bench.handler = () => {
    throw new Error('no');
  };
  await bench.push('a', { maxAttempts: 2 });
  const worker = bench.worker();
  await worker.processNext(1);
  await worker.processNext(1);
  expect(bench.backend.applied).toEqual(['release', 'fail']);
});

test('a stop ends the wait for work at once', async () => {
  const bench = new WorkerBench();
  const worker = bench.worker();
  const run = worker.run();
  await bench.push('a');
  setTimeout(() => worker.stop(), 50);
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.backend.applied).toEqual(['ack']);
});
