import { expect, test } from 'vitest';
import {
  OutcomeUnknown,
  SchemaOutdatedException,
  ServerRefused,
  StaleJobHandleException,
} from '../../lib/contract/index.js';
import {
  JobFailedPermanently,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobSucceeded,
} from '../../lib/events/index.js';
import { eventually } from '../support/eventually.js';
import { WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobSucceeded, JobReleased, JobFailedPermanently, JobSettlementLost, JobSettlementUnknown];
const REFUSED = 'refused' as const;

/** How a delivery is brought to each operation that settles it. */
const PATHS = [
  { operation: 'ack', event: 'JobSucceeded', maxAttempts: null, error: null },
  { operation: 'release', event: 'JobReleased', maxAttempts: 2, error: new Error('no') },
  { operation: 'fail', event: 'JobFailedPermanently', maxAttempts: 0, error: new Error('no') },
] as const;

async function benchFor(path: (typeof PATHS)[number]): Promise<WorkerBench> {
  const bench = new WorkerBench();
  bench.handler = () => {
    if (path.error !== null) throw path.error;
  };
  await bench.push('a', { maxAttempts: path.maxAttempts });
  return bench;
}

test.each(PATHS)('a stale $operation is only told as lost, and the worker goes on', async (path) => {
  const bench = await benchFor(path);
  bench.backend.nextSettlements.push('stale');
  const worker = bench.worker({}, OUTCOMES);
  await worker.processNext(1);
  expect(bench.told).toEqual(['JobSettlementLost']);
  expect(bench.events[0]).toMatchObject({
    class: 'LabelledJob',
    queue: 'default',
    attempts: 1,
    operation: path.operation,
    stale: expect.any(StaleJobHandleException),
    error: path.error,
  });
  expect(bench.logged('job.settlement-lost')).toMatchObject([{ level: 'warn', operation: path.operation }]);
  bench.handler = () => undefined;
  await bench.push('b');
  await worker.processNext(1);
  expect(bench.told).toEqual(['JobSettlementLost', 'JobSucceeded']);
});

test.each(PATHS)('a $operation without an answer is told as unknown and sent once only', async (path) => {
  const bench = await benchFor(path);
  bench.backend.nextSettlements.push('unknown');
  await bench.worker({}, OUTCOMES).processNext(1);
  expect(bench.told).toEqual(['JobSettlementUnknown']);
  expect(bench.events[0]).toMatchObject({
    operation: path.operation,
    failure: expect.any(OutcomeUnknown),
    error: path.error,
  });
  expect(bench.backend.settlements.map(({ answer }) => answer)).toEqual(['unknown']);
  expect(bench.logged('job.settlement-unknown')).toMatchObject([{ level: 'error' }]);
  expect(bench.disposed).toBe(1);
});

test.each(PATHS)(
  'a $operation that the server refuses is sent again, the same, until it applies',
  async (path) => {
    const bench = await benchFor(path);
    bench.backend.nextSettlements.push(REFUSED, REFUSED, REFUSED);
    await bench.worker({}, OUTCOMES).processNext(1);
    const { settlements } = bench.backend;
    expect(settlements.map(({ answer }) => answer)).toEqual([REFUSED, REFUSED, REFUSED, 'applied']);
    for (const { settlement } of settlements) expect(settlement).toEqual(settlements[0]?.settlement);
    expect(bench.told).toEqual([path.event]);
  },
);

test.each(PATHS)('a $operation that is refused four times is given up on as unknown', async (path) => {
  const bench = await benchFor(path);
  bench.backend.nextSettlements.push(REFUSED, REFUSED, REFUSED, REFUSED);
  await bench.worker({}, OUTCOMES).processNext(1);
  expect(bench.backend.settlements).toHaveLength(4);
  expect(bench.told).toEqual(['JobSettlementUnknown']);
  expect(bench.events[0]).toMatchObject({ failure: expect.any(ServerRefused) });
});

test('a refused settlement that turns out stale when it is sent again is lost', async () => {
  const bench = await benchFor(PATHS[0]);
  bench.backend.nextSettlements.push(REFUSED, 'stale');
  await bench.worker({}, OUTCOMES).processNext(1);
  expect(bench.told).toEqual(['JobSettlementLost']);
});

test.each(PATHS)('any other error of a $operation propagates, and the scope is disposed', async (path) => {
  const bench = await benchFor(path);
  const defect = new TypeError('a defect of the backend');
  bench.backend.nextSettlements.push(defect);
  await expect(bench.worker({}, OUTCOMES).processNext(1)).rejects.toBe(defect);
  expect(bench.told).toEqual([]);
  expect(bench.disposed).toBe(1);
});

test('a settlement error wins over a disposal that fails beside it, which is logged', async () => {
  const bench = await benchFor(PATHS[0]);
  const defect = new TypeError('a defect of the backend');
  bench.backend.nextSettlements.push(defect);
  bench.hooks.dispose = () => {
    throw new Error('disposal');
  };
  await expect(bench.worker().processNext(1)).rejects.toBe(defect);
  expect(bench.logged('job.disposal-failed')).toMatchObject([
    { level: 'error', job: 'LabelledJob', queue: 'default', attempts: 1, error: 'Error: disposal' },
  ]);
});

test('run() stops with 70 after an error that is no trouble of the server, once its other jobs have ended', async () => {
  const bench = new WorkerBench();
  const defect = new TypeError('a defect of the backend');
  let endSlow = (): void => undefined;
  const slow = new Promise<void>((resolve) => (endSlow = resolve));
  bench.handler = (_delivery, { label }) => (label === 'slow' ? slow : undefined);
  bench.backend.nextSettlements.push(defect);
  await bench.push('slow');
  await bench.push('defective');
  const worker = bench.worker({ concurrency: 2 });
  const run = worker.run();
  await eventually('the defect to be seen', () => worker.stopping);
  await bench.push('after');
  endSlow();
  expect(await run).toMatchObject({ exitCode: 70, error: defect });
  expect(bench.begun).toEqual(['slow', 'defective']);
  expect(bench.backend.applied).toEqual(['ack']);
});

test('run() stops with 64 where a settlement meets tables that are not there', async () => {
  const bench = new WorkerBench();
  bench.backend.nextSettlements.push(new SchemaOutdatedException('run the migrations'));
  await bench.push('a');
  expect(await bench.worker().run()).toMatchObject({ exitCode: 64, reason: 'run the migrations' });
});

test('run() goes on after a stale and after an unknown settlement', async () => {
  const bench = new WorkerBench();
  bench.backend.nextSettlements.push('stale', 'unknown');
  for (const label of ['a', 'b', 'c']) await bench.push(label);
  expect(await bench.worker({ maxJobs: 3 }, OUTCOMES).run()).toMatchObject({ exitCode: 0 });
  expect(bench.told).toEqual(['JobSettlementLost', 'JobSettlementUnknown', 'JobSucceeded']);
});

test("a lost ack closes the span with the stale error, a lost release with the job's own", async () => {
  const ended: unknown[] = [];
  for (const path of [PATHS[0], PATHS[1]]) {
    const bench = await benchFor(path);
    bench.telemetry = { startJob: () => ({ run: (work) => work(), end: (error) => ended.push(error) }) };
    bench.backend.nextSettlements.push('stale');
    await bench.worker().processNext(1);
  }
  expect(ended).toEqual([expect.any(StaleJobHandleException), PATHS[1].error]);
});
