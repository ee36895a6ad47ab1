import { expect, test } from 'vitest';
import { keepsFailedJobs } from '../../lib/contract/index.js';
import {
  JobFailedPermanently,
  JobSettlementLost,
  JobSettlementUnknown,
  JobSucceeded,
} from '../../lib/events/index.js';
import { LabelledJob, WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobSucceeded, JobFailedPermanently, JobSettlementLost, JobSettlementUnknown];

async function chained(...labels: string[]) {
  const bench = new WorkerBench();
  const ids = await bench.queue.chain(labels.map((label) => new LabelledJob(label)));
  const worker = bench.worker({}, OUTCOMES);
  const drain = async (): Promise<void> => {
    while (await worker.processNext(0.001));
  };
  return { bench, ids, worker, drain };
}

test('each step runs after the one before it, under the id that the chain was told', async () => {
  const { bench, ids, drain } = await chained('a', 'b', 'c');
  await drain();
  expect(bench.begun).toEqual(['a', 'b', 'c']);
  expect(bench.events.map((event) => (event as JobSucceeded).id)).toEqual(ids);
  expect(bench.told).toEqual(['JobSucceeded', 'JobSucceeded', 'JobSucceeded']);
});

test.each(['stale', 'unknown'] as const)('after an ack that is %s nothing follows', async (answer) => {
  const { bench, drain } = await chained('a', 'b');
  bench.backend.nextSettlements.push(answer);
  await drain();
  expect(bench.begun).toEqual(['a']);
  expect(await bench.queue.counts()).toMatchObject({ ready: 0, delayed: 0, reserved: 1 });
});

test('nothing follows a final failure, until the job is retried and succeeds', async () => {
  const { bench, ids, drain } = await chained('a', 'b');
  bench.handler = () => {
    throw new Error('no');
  };
  await drain();
  expect(bench.begun).toEqual(['a']);
  expect(bench.told).toEqual(['JobFailedPermanently']);
  expect(bench.backend.applied).toEqual(['fail']);
  const { inner } = bench.backend;
  if (!keepsFailedJobs(inner)) throw new Error('Expected the memory backend to keep failed jobs.');
  bench.handler = () => undefined;
  await inner.retryFailed(ids[0] ?? '');
  await drain();
  expect(bench.begun).toEqual(['a', 'a', 'b']);
});

test('a release does not advance a chain', async () => {
  const bench = new WorkerBench();
  let throws = 1;
  bench.handler = () => {
    if (throws-- > 0) throw new Error('again');
  };
  await bench.queue.chain([{ job: new LabelledJob('a'), maxAttempts: 2 }, new LabelledJob('b')]);
  const worker = bench.worker({}, OUTCOMES);
  while (await worker.processNext(0.001));
  expect(bench.begun).toEqual(['a', 'a', 'b']);
});
