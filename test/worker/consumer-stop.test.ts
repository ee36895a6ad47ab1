import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { ReservedItem } from '../../lib/contract/index.js';
import { JobDeferred, JobSettlementLost, JobSucceeded } from '../../lib/events/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { SendingBackend } from '../support/sending-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobSucceeded, JobDeferred, JobSettlementLost];

async function benchWith(jobs: number) {
  const backend = new SendingBackend();
  const bench = new WorkerBench(backend);
  for (let index = 0; index < jobs; index += 1) await bench.push(`${index}`);
  return { backend, bench, ready: async () => (await backend.inner.count('default')).ready };
}

test('a stop ends an idle consumer at once, and what is pushed later stays', async () => {
  const { backend, bench, ready } = await benchWith(0);
  const worker = bench.worker({ pollTimeoutSeconds: 3_600 });
  const run = worker.run();
  await eventually('the consumer', () => backend.consumers[0]?.open === true);
  worker.stop();
  worker.stop();
  expect(await run).toEqual({ exitCode: 0, reason: 'it was told to stop' });
  await bench.push('later');
  expect([backend.consumer.open, await ready(), bench.begun]).toEqual([false, 1, []]);
});

test('a stop during a backlog of 100 with one job running: that one is acknowledged, 99 remain', async () => {
  const { backend, bench, ready } = await benchWith(100);
  const gate = deferred();
  bench.handler = () => gate.promise;
  const worker = bench.worker({}, OUTCOMES);
  const run = worker.run();
  await eventually('a job to run', () => bench.begun.length === 1);
  worker.stop();
  // The job ends before the server has answered that it sends no more.
  gate.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['0']);
  expect(backend.applied).toEqual(['ack']);
  expect(await ready()).toBe(99);
  expect(bench.told).toEqual(['JobSucceeded']);
});

test('the server is told to send no more before anything is settled that would make room', async () => {
  const { backend, bench } = await benchWith(1);
  const order: string[] = [];
  const settle = backend.settle.bind(backend);
  backend.settle = (settlements) => {
    order.push('settle');
    return settle(settlements);
  };
  const stops = backend.inner.consume.bind(backend.inner);
  backend.inner.consume = async (queue, options) => {
    const consumption = await stops(queue, options);
    return {
      stop: () => {
        order.push('stop');
        return consumption.stop();
      },
    };
  };
  const worker = bench.worker();
  // The handler ends in the very moment of the stop.
  bench.handler = () => worker.stop();
  expect(await worker.run()).toMatchObject({ exitCode: 0 });
  expect(order).toEqual(['stop', 'settle']);
});

test('what was on its way at a stop runs where there is a slot, and goes back at once where there is none', async () => {
  const { backend, bench, ready } = await benchWith(1);
  const gate = deferred();
  const stopped = deferred();
  bench.handler = () => gate.promise;
  backend.holdStop = stopped.promise;
  const worker = bench.worker({ concurrency: 2 }, OUTCOMES);
  const run = worker.run();
  await eventually('a job to run', () => bench.begun.length === 1);
  worker.stop();
  for (const label of ['with a slot', 'without one']) {
    await bench.push(label);
    await backend.send();
  }
  await eventually('the one without a slot to go back', () => backend.applied.includes('release'));
  expect(bench.begun).toEqual(['0', 'with a slot']);
  expect(await ready()).toBe(1);
  gate.resolve();
  await eventually('the others to be settled', () => backend.applied.length === 3);
  stopped.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(backend.applied).toEqual(['release', 'ack', 'ack']);
  const next = new WorkerBench(backend);
  await next.worker().processNext(1);
  expect(next.logged('job.succeeded')).toMatchObject([{ attempts: 1 }]);
});

/** A worker of one slot whose first job is settled and keeps its slot while its scope is disposed; one more has come. */
async function heldBack() {
  const { backend, bench, ready } = await benchWith(2);
  const disposal = deferred();
  bench.hooks.dispose = () => disposal.promise;
  const worker = bench.worker({}, OUTCOMES);
  const run = worker.run();
  await eventually('the first job to be settled', () => backend.applied.length === 1);
  await eventually('the second to come', () => backend.sent === 2);
  return { backend, bench, worker, run, disposal, ready };
}

test('what came and waits for a slot goes back at a stop, without waiting for the slot', async () => {
  const { backend, bench, worker, run, disposal, ready } = await heldBack();
  worker.stop();
  await eventually('the second job to go back', () => backend.applied.length === 2);
  expect(await ready()).toBe(1);
  disposal.resolve();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['0']);
  expect(bench.told).toEqual(['JobSucceeded', 'JobDeferred']);
});

test('a job that goes back leaves no listener on the channel that it came by', async () => {
  const { backend, bench, worker, run, disposal } = await heldBack();
  const channel = new AbortController();
  await bench.push('c');
  const [item] = await backend.inner.reserve(['default'], 1);
  await backend.send({ ...(item as ReservedItem), lost: channel.signal });
  worker.stop();
  await eventually('both to go back', () => backend.applied.length === 3);
  disposal.resolve();
  await run;
  expect(getEventListeners(channel.signal, 'abort')).toEqual([]);
});

test('a forced stop gives back what came and was not begun', async () => {
  const { backend, bench, worker, run, ready } = await heldBack();
  await worker.forceStop();
  expect(await run).toMatchObject({ exitCode: 1 });
  expect(backend.applied).toEqual(['ack', 'release']);
  expect([bench.begun, await ready()]).toEqual([['0'], 1]);
});

test('a forced stop gives it back too while the server does not answer that it sends no more', async () => {
  const { backend, bench, worker, run, ready } = await heldBack();
  backend.holdStop = new Promise(() => undefined);
  await worker.forceStop();
  expect(await run).toMatchObject({ exitCode: 1 });
  expect([bench.begun, await ready()]).toEqual([['0'], 1]);
  // What comes after all is not begun any more.
  await backend.send();
  await eventually('the late one to go back', () => backend.applied.length === 3);
  expect([bench.begun, await ready()]).toEqual([['0'], 1]);
});

/** A worker in the moment when a job has come and is not begun: promises have had their turn, the event loop has not. */
async function arrived() {
  const { backend, bench, ready } = await benchWith(0);
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the consumer', () => backend.consumers[0]?.open === true);
  await bench.push('a');
  await new Promise<void>((resolve) => process.nextTick(resolve));
  expect([backend.sent, bench.begun]).toEqual([1, []]);
  return { backend, bench, worker, run, ready };
}

test('a stop between the arrival of a job and its beginning lets it run, and opens no other consumer', async () => {
  const { backend, bench, worker, run } = await arrived();
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['a']);
  expect(backend.applied).toEqual(['ack']);
  expect(backend.consumers).toHaveLength(1);
});

test('a forced stop in that moment resolves when the job is back', async () => {
  const { backend, bench, worker, run, ready } = await arrived();
  await worker.forceStop();
  expect([bench.begun, backend.applied, await ready()]).toEqual([[], ['release'], 1]);
  expect(await run).toMatchObject({ exitCode: 1 });
});

test('a stop does not wait for a consumer that is being opened; one that opens later is stopped, and what it brings goes back', async () => {
  const { backend, bench, ready } = await benchWith(2);
  const answer = deferred();
  backend.nextConsumes.push(answer.promise);
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the consumer to be asked for', () => backend.consumers.length === 1);
  worker.stop();
  expect(await run).toEqual({ exitCode: 0, reason: 'it was told to stop' });
  await backend.send();
  answer.resolve();
  await eventually('it to go back', () => backend.applied.length > 0);
  await eventually('the late consumer to be stopped', () => !backend.consumer.open && backend.opened === 1);
  await eventually('all to be back', () => backend.applied.length === backend.sent);
  expect([bench.begun, await ready()]).toEqual([[], 2]);
});

test('a consumer that cannot be opened after the stop hurts nobody', async () => {
  const { backend, bench } = await benchWith(0);
  const answer = deferred();
  backend.nextConsumes.push(answer.promise);
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the consumer to be asked for', () => backend.consumers.length === 1);
  worker.stop();
  await run;
  answer.reject(new TypeError('too late to be a defect'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(bench.logged('worker.defect')).toEqual([]);
});
