import { expect, test } from 'vitest';
import { InvalidQueueArgumentException } from '../../lib/contract/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { WorkerBench } from '../support/worker-bench.js';

test('a batch of one reserve is spread over the free slots', async () => {
  const bench = new WorkerBench();
  const gate = deferred();
  bench.handler = () => gate.promise;
  for (let index = 0; index < 6; index += 1) await bench.push(`${index}`);
  const run = bench.worker({ concurrency: 4, maxJobs: 6 }).run();
  await eventually('four jobs to run', () => bench.begun.length === 4);
  expect(bench.backend.reserveLimits).toEqual([4]);
  gate.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.backend.applied).toHaveLength(6);
});

test('never more is reserved than there are free slots, whatever jobs and reserves take', async () => {
  const bench = new WorkerBench();
  const concurrency = 5;
  let running = 0;
  let most = 0;
  bench.handler = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    running -= 1;
  };
  const { backend } = bench;
  const reserve = backend.reserve.bind(backend);
  const excess: number[] = [];
  backend.reserve = async (queues, limit) => {
    // Jobs that run and those that this reserve may bring are never more than the slots.
    if (running + limit > concurrency) excess.push(running + limit);
    const items = await reserve(queues, limit);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    return items;
  };
  const jobs = 150;
  for (let index = 0; index < jobs; index += 1) await bench.push(`${index}`);
  await bench.worker({ concurrency, maxJobs: jobs }).run();
  expect(excess).toEqual([]);
  expect(most).toBe(concurrency);
  expect(backend.applied).toHaveLength(jobs);
  expect(new Set(bench.begun).size).toBe(jobs);
});

test('slots that free together are filled by one reserve', async () => {
  const bench = new WorkerBench();
  for (let index = 0; index < 30; index += 1) await bench.push(`${index}`);
  await bench.worker({ concurrency: 10, maxJobs: 30 }).run();
  expect(bench.backend.reserveLimits).toEqual([10, 10, 10]);
});

test('with all slots taken nothing is reserved until one is free', async () => {
  const bench = new WorkerBench();
  const gates = new Map([
    ['a', deferred()],
    ['b', deferred()],
    ['c', deferred()],
  ]);
  bench.handler = (_delivery, { label }) => gates.get(label)?.promise;
  for (const label of gates.keys()) await bench.push(label);
  const worker = bench.worker({ concurrency: 2 });
  const run = worker.run();
  await eventually('two jobs to run', () => bench.begun.length === 2);
  const before = bench.backend.reserveLimits.length;
  gates.get('b')?.resolve();
  await eventually('the third to run', () => bench.begun.length === 3);
  expect(bench.backend.reserveLimits.slice(before)).toEqual([1]);
  worker.stop();
  for (const gate of gates.values()) gate.resolve();
  await run;
});

test('timers, signals and sockets have their turn while a backlog of instant jobs is worked off', async () => {
  const bench = new WorkerBench();
  const worker = bench.worker();
  const fromOutside = setTimeout(() => worker.stop(), 20);
  bench.handler = () => bench.push('and on');
  await bench.push('first');
  expect(await worker.run()).toMatchObject({ exitCode: 0, reason: 'it was told to stop' });
  clearTimeout(fromOutside);
});

test('run() refuses an empty list of queues and one with a repeated name', async () => {
  for (const queues of [[], ['a', 'a'], ['no name']]) {
    await expect(new WorkerBench().worker({ queues }).run()).rejects.toThrow(InvalidQueueArgumentException);
  }
});

test('processNext takes other queues than those of the worker, and refuses a negative timeout', async () => {
  const bench = new WorkerBench();
  const worker = bench.worker();
  await bench.push('a', { queue: 'other' });
  expect(await worker.processNext(0.01)).toBe(false);
  expect(await worker.processNext(1, ['other'])).toBe(true);
  await expect(worker.processNext(-1)).rejects.toThrow(InvalidQueueArgumentException);
});

test('queues are served in the order of the list', async () => {
  const bench = new WorkerBench();
  await bench.push('low', { queue: 'low' });
  await bench.push('high', { queue: 'high' });
  await bench.push('low again', { queue: 'low' });
  await bench.worker({ queues: ['high', 'low'], maxJobs: 3 }).run();
  expect(bench.begun).toEqual(['high', 'low', 'low again']);
});
