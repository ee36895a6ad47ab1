import { expect, test } from 'vitest';
import { deferred, eventually } from '../support/eventually.js';
import { WorkerBench } from '../support/worker-bench.js';

async function benchWith(jobs: number): Promise<WorkerBench> {
  const bench = new WorkerBench();
  for (let index = 0; index < jobs; index += 1) await bench.push(`${index}`);
  return bench;
}

test('maxJobs bounds the deliveries, and no more are reserved', async () => {
  const bench = await benchWith(5);
  const result = await bench.worker({ maxJobs: 3, concurrency: 10 }).run();
  expect(result).toEqual({ exitCode: 0, reason: '3 deliveries were handled (maxJobs)' });
  expect(bench.begun).toHaveLength(3);
  expect(await bench.queue.size()).toBe(2);
});

test('maxTimeSeconds ends a look for work', async () => {
  const bench = new WorkerBench();
  const result = await bench.worker({ maxTimeSeconds: 0.02, pollTimeoutSeconds: 3_600 }).run();
  expect(result).toMatchObject({ exitCode: 0, reason: expect.stringContaining('maxTimeSeconds') });
});

test('maxMemoryMb ends the run after a job, never before the first', async () => {
  const bench = await benchWith(2);
  const result = await bench.worker({ maxMemoryMb: 1 }).run();
  expect(result).toMatchObject({ exitCode: 0, reason: expect.stringContaining('maxMemoryMb') });
  expect(bench.begun).toHaveLength(1);
});

test('a limit waits for running jobs, however long they take', async () => {
  const bench = await benchWith(1);
  const gate = deferred();
  bench.handler = () => gate.promise;
  const worker = bench.worker({ maxJobs: 1, shutdownTimeoutSeconds: 0 });
  const run = worker.run();
  await eventually('the limit to be reached', () => worker.stopping);
  gate.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.backend.applied).toEqual(['ack']);
});

test('once handles one delivery, and none where there is none', async () => {
  const bench = await benchWith(2);
  expect(await bench.worker({ once: true, concurrency: 5 }).run()).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toHaveLength(1);
  const idle = new WorkerBench();
  expect(await idle.worker({ once: true, pollTimeoutSeconds: 0.01 }).run()).toEqual({
    exitCode: 0,
    reason: 'there was no work (once)',
  });
});
