import { expect, test } from 'vitest';
import { ConnectionFailed, FailJobException } from '../../lib/contract/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { WorkerBench } from '../support/worker-bench.js';

/** A worker with one slot, whose first settlement is not answered before the gate opens. */
async function benchWith(settlesBeforeReserve: boolean, queues = ['default']) {
  const bench = new WorkerBench();
  const gate = deferred();
  bench.backend.settlesBeforeReserve = settlesBeforeReserve;
  bench.backend.nextSettlements.push(gate.promise);
  for (const label of ['a', 'b', 'c']) await bench.push(label);
  const worker = bench.worker({ queues, concurrency: 1 });
  return { bench, gate, worker };
}

/** A worker's bench on a backend that settles before it reserves, with so many jobs. */
async function filledBench(jobs: number): Promise<WorkerBench> {
  const bench = new WorkerBench();
  bench.backend.settlesBeforeReserve = true;
  for (let n = 0; n < jobs; n += 1) await bench.push(String(n));
  return bench;
}

const untilIdle = ({ backend }: WorkerBench) =>
  eventually('all to be acknowledged', () => backend.applied.length === 3);

test('a job is taken while the ack of the one before it is on its way, where the backend keeps that order', async () => {
  const { bench, gate, worker } = await benchWith(true);
  bench.handler = (_, { label }) => (label === 'b' ? gate.promise : undefined);
  const run = worker.run();
  await eventually('b to run', () => bench.begun.includes('b'));
  expect(bench.backend.applied).toEqual([]);
  gate.resolve();
  await untilIdle(bench);
  worker.stop();
  await run;
  expect(bench.begun).toEqual(['a', 'b', 'c']);
  expect(bench.backend.reserveLimits.every((limit) => limit === 1)).toBe(true);
});

test.each([
  ['the backend keeps no such order', false, ['default']],
  ['the worker watches several queues', true, ['default', 'mail']],
])('no job is taken before the answer where %s', async (_, settlesBeforeReserve, queues) => {
  const { bench, gate, worker } = await benchWith(settlesBeforeReserve, queues);
  const run = worker.run();
  await eventually('a to run', () => bench.begun.includes('a'));
  // Ample: nothing but the answer is waited for.
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
  expect(bench.begun).toEqual(['a']);
  gate.resolve();
  await untilIdle(bench);
  worker.stop();
  await run;
});

test('no more handlers run than there are slots', async () => {
  const bench = await filledBench(50);
  let running = 0;
  let most = 0;
  bench.handler = async () => {
    most = Math.max(most, (running += 1));
    for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
    running -= 1;
  };
  const worker = bench.worker({ concurrency: 3 });
  const run = worker.run();
  await eventually('all to be acknowledged', () => bench.backend.applied.length === 50);
  worker.stop();
  await run;
  expect(most).toBe(3);
});

test('half of the slots are asked for, and the other half before what was found is begun', async () => {
  const bench = await filledBench(4);
  const asked: number[] = [];
  bench.handler = () => void asked.push(bench.backend.reserveLimits.length);
  const worker = bench.worker({ concurrency: 4 });
  const run = worker.run();
  await eventually('all to be acknowledged', () => bench.backend.applied.length === 4);
  worker.stop();
  await run;
  expect(bench.backend.reserveLimits.slice(0, 2)).toEqual([2, 2]);
  expect(asked[0]).toBe(2);
});

test('what a look ahead brings after a stop still runs', async () => {
  const bench = await filledBench(4);
  const worker = bench.worker({ concurrency: 4 });
  const answer = deferred();
  bench.handler = () => {
    bench.backend.holdReserve ??= answer.promise;
    worker.stop();
  };
  const run = worker.run();
  await eventually('two to be acknowledged', () => bench.backend.applied.length === 2);
  expect(bench.begun).toHaveLength(2);
  answer.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toHaveLength(4);
  expect(bench.backend.applied).toEqual(['ack', 'ack', 'ack', 'ack']);
});

test('a look ahead that fails ends nothing, and is looked for again', async () => {
  const bench = await filledBench(4);
  const worker = bench.worker({ concurrency: 4 });
  const reserve = bench.backend.reserve.bind(bench.backend);
  bench.backend.reserve = async (queues, limit) => {
    const found = await reserve(queues, limit);
    if (bench.backend.reserveLimits.length === 2) throw new ConnectionFailed('no answer');
    return found;
  };
  const run = worker.run();
  await eventually('the first two to be acknowledged', () => bench.backend.applied.length >= 2);
  for (let n = 4; n < 6; n += 1) await bench.push(String(n));
  await eventually('those that came later too', () => bench.backend.applied.length >= 4);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
});

test('a settlement that was refused holds its slot until it is sent again', async () => {
  const bench = new WorkerBench();
  bench.backend.settlesBeforeReserve = true;
  bench.backend.nextSettlements.push('refused', 'refused', 'refused');
  for (const label of ['a', 'b', 'c']) await bench.push(label);
  const worker = bench.worker({ concurrency: 1 });
  const run = worker.run();
  await untilIdle(bench);
  worker.stop();
  await run;
  expect([...bench.begun].toSorted()).toEqual(['a', 'b', 'c']);
  expect(bench.backend.applied).toEqual(['ack', 'ack', 'ack']);
});

test('a stop waits for settlements that are on their way', async () => {
  const { bench, gate, worker } = await benchWith(true);
  let ended = false;
  const run = worker.run().then((result) => ((ended = true), result));
  await eventually('b to run', () => bench.begun.includes('b'));
  worker.stop();
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
  expect(ended).toBe(false);
  gate.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
});

test('what takes more than one step is waited for: a job that is given up on', async () => {
  const { bench, gate, worker } = await benchWith(true);
  bench.handler = () => {
    throw new FailJobException('no');
  };
  const run = worker.run();
  await eventually('a to run', () => bench.begun.includes('a'));
  for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
  expect(bench.begun).toEqual(['a']);
  gate.resolve();
  await eventually('all to be given up on', () => bench.backend.applied.length === 3);
  worker.stop();
  await run;
});
