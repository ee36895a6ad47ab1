import { expect, test } from 'vitest';
import { DecodingDefectException } from '../../lib/contract/index.js';
import { JobMalformed, JobSucceeded } from '../../lib/events/index.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

const { malformedItem, defectItem } = ScriptedBackend;

test('a malformed item is a warning and an event, and counts as one processed item', async () => {
  const bench = new WorkerBench();
  bench.backend.extraItems.push(malformedItem());
  expect(await bench.worker({}, [JobMalformed]).processNext(1)).toBe(true);
  expect(bench.logged('job.malformed')).toMatchObject([
    { level: 'warn', queue: 'default', disposition: expect.stringMatching(/^(removed|failed-store)$/) },
  ]);
  expect(bench.told).toEqual(['JobMalformed']);
  expect(bench.events[0]).toMatchObject({ queue: 'default', connection: 'default', worker: 'test-worker' });
  expect(bench.opened).toBe(0);
});

test('malformed items strand nothing that stands before or behind them in a batch', async () => {
  const bench = new WorkerBench();
  bench.backend.extraItems.push(malformedItem(), malformedItem());
  await bench.push('a');
  await bench.push('b');
  const worker = bench.worker({ concurrency: 4, maxJobs: 4 }, [JobMalformed, JobSucceeded]);
  expect(await worker.run()).toMatchObject({ exitCode: 0 });
  expect(bench.backend.reserveLimits).toEqual([4]);
  expect(bench.begun).toEqual(['a', 'b']);
  expect(bench.told.toSorted()).toEqual(['JobMalformed', 'JobMalformed', 'JobSucceeded', 'JobSucceeded']);
});

test('malformed items count towards maxJobs and once', async () => {
  const bench = new WorkerBench();
  bench.backend.extraItems.push(malformedItem());
  await bench.push('a');
  expect(await bench.worker({ once: true }).run()).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual([]);
  bench.backend.extraItems.push(malformedItem(), malformedItem());
  await bench.worker({ maxJobs: 3 }).run();
  expect(bench.begun).toEqual(['a']);
});

test('a malformed item that another process took first is a warning only', async () => {
  const bench = new WorkerBench();
  bench.backend.extraItems.push(malformedItem());
  bench.backend.nextSettlements.push('stale');
  expect(await bench.worker().processNext(1)).toBe(true);
  expect(bench.logged('job.malformed')).toMatchObject([{ level: 'warn', disposition: 'stale' }]);
});

test('a malformed item whose removal has no answer is an error line, and the worker goes on', async () => {
  const bench = new WorkerBench();
  bench.backend.extraItems.push(malformedItem());
  bench.backend.nextSettlements.push('unknown');
  await bench.push('a');
  expect(await bench.worker({ maxJobs: 2 }).run()).toMatchObject({ exitCode: 0 });
  expect(bench.logged('job.malformed')).toMatchObject([{ level: 'error', disposition: 'unsettled' }]);
  expect(bench.begun).toEqual(['a']);
});

test('a listener that breaks on a malformed item changes nothing', async () => {
  const bench = new WorkerBench();
  bench.backend.extraItems.push(malformedItem());
  bench.listener = () => {
    throw new Error('an observer broke');
  };
  await bench.push('a');
  expect(await bench.worker({ maxJobs: 2, concurrency: 2 }, [JobMalformed]).run()).toMatchObject({
    exitCode: 0,
  });
  expect(bench.begun).toEqual(['a']);
  expect(bench.logged('worker.observer-failed')).toMatchObject([{ observer: 'Audit.on' }]);
});

test('after a defect of the decoder the rest of the batch runs, then the worker stops with 70', async () => {
  const bench = new WorkerBench();
  bench.backend.extraItems.push(defectItem(), malformedItem());
  await bench.push('a');
  await bench.push('later');
  const result = await bench.worker({ concurrency: 3 }).run();
  expect(result).toMatchObject({ exitCode: 70, error: expect.any(DecodingDefectException) });
  expect(bench.begun).toEqual(['a']);
  expect(bench.backend.settlements.map(({ operation }) => operation)).toEqual(['fail', 'ack']);
});

test('a defect of the decoder propagates out of processNext', async () => {
  const bench = new WorkerBench();
  bench.backend.extraItems.push(defectItem());
  await expect(bench.worker().processNext(1)).rejects.toThrow(DecodingDefectException);
  expect(bench.backend.settlements).toEqual([]);
});
