import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  LeaseLostException,
  OutcomeUnknown,
  ServerRefused,
  StaleJobHandleException,
} from '../../lib/contract/index.js';
import { JobSettlementLost, JobSucceeded } from '../../lib/events/index.js';
import { Job, type JobDelivery } from '../../lib/jobs/index.js';
import { deferred } from '../support/eventually.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

const LEASE = 90;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

/** A worker whose job runs until `end()`. */
async function running(options: { renewLeases?: boolean; backend?: ScriptedBackend } = {}) {
  const { backend = new ScriptedBackend(LEASE), ...workerOptions } = options;
  const bench = new WorkerBench(backend);
  const handler = deferred();
  let delivery: JobDelivery | null = null;
  bench.handler = (given) => {
    delivery = given;
    // Made before anything happens to it, as by a handler that hands it on.
    void given.signal;
    return handler.promise;
  };
  await bench.push('slow');
  const worker = bench.worker(workerOptions, [JobSucceeded, JobSettlementLost]);
  const processed = worker.processNext(1);
  await pass(0);
  const held = delivery as JobDelivery | null;
  if (held === null) throw new Error('Expected the job to run by now.');
  const end = async () => {
    handler.resolve(undefined);
    await pass(0);
    await processed;
  };
  const extensions = () => backend.settlements.filter(({ operation }) => operation === 'extend');
  return { bench, backend, worker, delivery: held, handler, processed, end, extensions };
}

test('a lease is renewed at each third of its length while the job runs, to its full length', async () => {
  const { extensions, end, backend, delivery } = await running();
  await pass(LEASE / 3 - 1);
  expect(extensions()).toHaveLength(0);
  await pass(1);
  expect(extensions()).toMatchObject([{ settlement: { seconds: LEASE }, answer: 'applied' }]);
  await pass(10 * (LEASE / 3));
  expect(extensions()).toHaveLength(11);
  expect(delivery.signal.aborted).toBe(false);
  await end();
  await pass(LEASE);
  expect(backend.settlements.slice(11).map(({ operation }) => operation)).toEqual(['ack']);
});

@Job({ args: ['label', 'secret'], leaseSeconds: 3 })
class ShortLease {
  constructor(
    readonly label: string,
    readonly secret: string,
  ) {}

  handle(): void {}
}

test("a job's own lease length is the one that is renewed", async () => {
  const bench = new WorkerBench(new ScriptedBackend(LEASE), [ShortLease]);
  const handler = deferred();
  bench.handler = () => handler.promise;
  await bench.queue.push(new ShortLease('short', ''));
  const processed = bench.worker().processNext(1);
  await pass(1);
  expect(bench.backend.settlements).toMatchObject([{ operation: 'extend', settlement: { seconds: 3 } }]);
  handler.resolve(undefined);
  await processed;
});

test('a rival finds nothing while the lease is renewed, and the job once it is not', async () => {
  const renewed = await running();
  await pass(3 * LEASE);
  expect(await renewed.backend.reserve(['default'], 1)).toEqual([]);
  await renewed.end();
  const kept = await running({ renewLeases: false });
  await pass(LEASE);
  expect(kept.extensions()).toEqual([]);
  expect(await kept.backend.reserve(['default'], 1)).toHaveLength(1);
  await kept.end();
  expect(kept.bench.told).toEqual(['JobSettlementLost']);
});

test('without renewal the signal still aborts when the lease is over', async () => {
  const { delivery, end } = await running({ renewLeases: false });
  await pass(LEASE - 1);
  expect(delivery.signal.aborted).toBe(false);
  await pass(1);
  expect(delivery.signal.reason).toBeInstanceOf(LeaseLostException);
  await end();
});

test('no renewal is under way when the settlement is sent', async () => {
  const { backend, extensions, handler, processed } = await running();
  const answer = deferred();
  backend.nextSettlements.push(answer.promise);
  await pass(LEASE / 3);
  handler.resolve(undefined);
  await pass(1);
  expect(backend.settlements).toEqual([]);
  answer.resolve(undefined);
  await processed;
  expect(backend.settlements.map(({ operation }) => operation)).toEqual(['extend', 'ack']);
  expect(extensions()).toHaveLength(1);
});

test('a renewal that is answered stale aborts the signal at once; the outcome still goes to the backend', async () => {
  const { backend, bench, delivery, end, extensions } = await running();
  backend.nextSettlements.push('stale');
  await pass(LEASE / 3);
  expect(delivery.signal.reason).toBeInstanceOf(LeaseLostException);
  expect(delivery.signal.reason).toMatchObject({ cause: expect.any(StaleJobHandleException) });
  expect(bench.logged('job.lease-lost')).toMatchObject([{ level: 'warn', job: 'LabelledJob' }]);
  await pass(LEASE);
  expect(extensions()).toHaveLength(1);
  backend.nextSettlements.push('stale');
  await end();
  expect(bench.told).toEqual(['JobSettlementLost']);
});

test('a full lease without an answered renewal aborts the signal, counted from the last one that was sent', async () => {
  const { backend, delivery, end } = await running();
  await pass(LEASE / 3);
  const never = deferred();
  backend.nextSettlements.push(never.promise);
  await pass(LEASE - 1);
  expect(delivery.signal.aborted).toBe(false);
  await pass(1);
  expect(delivery.signal.reason).toBeInstanceOf(LeaseLostException);
  never.resolve(undefined);
  await end();
});

test('an answer that comes late moves the end of the lease only as far as its renewal was sent', async () => {
  const { backend, delivery, end } = await running();
  const late = deferred();
  const never = deferred();
  backend.nextSettlements.push(late.promise, never.promise);
  await pass(LEASE / 3 + 20);
  late.resolve(undefined);
  await pass(LEASE - 20 - 1);
  expect(delivery.signal.aborted).toBe(false);
  await pass(1);
  expect(delivery.signal.reason).toBeInstanceOf(LeaseLostException);
  never.resolve(undefined);
  await end();
});

test('an expired lease that nobody took is settled as ever, whatever the signal said', async () => {
  const { bench, end } = await running({ renewLeases: false });
  await pass(2 * LEASE);
  await end();
  expect(bench.told).toEqual(['JobSucceeded']);
});

test.each(['refused', 'unknown'] as const)(
  'a renewal that is %s is warned about and tried again before the lease is over',
  async (answer) => {
    const { backend, bench, delivery, end, extensions } = await running();
    backend.nextSettlements.push(answer, answer);
    await pass(LEASE);
    expect(
      extensions()
        .map((each) => each.answer)
        .slice(0, 3),
    ).toEqual([answer, answer, 'applied']);
    expect(delivery.signal.aborted).toBe(false);
    const error = answer === 'refused' ? ServerRefused.name : OutcomeUnknown.name;
    expect(bench.logged('job.renewal-failed')).toHaveLength(2);
    expect(bench.logged('job.renewal-failed')[0]).toMatchObject({
      level: 'warn',
      error: expect.stringContaining(error),
    });
    await end();
    expect(bench.told).toEqual(['JobSucceeded']);
  },
);

test("a handler's longer extend is not shortened by a renewal, which waits until it would lengthen it", async () => {
  const { delivery, extensions, end } = await running();
  await delivery.extend({ seconds: 10 * LEASE });
  await pass(10 * LEASE - (2 * LEASE) / 3 - 1);
  expect(extensions()).toHaveLength(1);
  await pass(1);
  expect(extensions()).toMatchObject([
    { settlement: { seconds: 10 * LEASE } },
    { settlement: { seconds: LEASE } },
  ]);
  expect(delivery.signal.aborted).toBe(false);
  await end();
});

test("a handler's shorter extend holds until a third of it has passed", async () => {
  const { delivery, extensions, end } = await running();
  await delivery.extend({ seconds: 3 });
  await pass(1);
  expect(extensions().map(({ settlement }) => (settlement as { seconds: number }).seconds)).toEqual([
    3,
    LEASE,
  ]);
  await end();
});

test("a handler's extend waits for a renewal that is under way, and is refused once the job is settled", async () => {
  const { backend, delivery, end, extensions } = await running();
  const answer = deferred();
  backend.nextSettlements.push(answer.promise);
  await pass(LEASE / 3);
  const extended = delivery.extend({ seconds: 1_000 });
  await pass(1);
  expect(extensions()).toHaveLength(0);
  answer.resolve(undefined);
  await extended;
  expect(extensions().map(({ settlement }) => (settlement as { seconds: number }).seconds)).toEqual([
    LEASE,
    1_000,
  ]);
  await end();
  await expect(delivery.extend({ seconds: 5 })).rejects.toBeInstanceOf(StaleJobHandleException);
  expect(extensions()).toHaveLength(2);
});

test('an extend by no positive number of seconds is refused and changes nothing', async () => {
  const { delivery, end, extensions } = await running();
  await expect(delivery.extend({ seconds: 0 })).rejects.toMatchObject({ code: 'INVALID_QUEUE_ARGUMENT' });
  await expect(delivery.extend({ seconds: Number.NaN })).rejects.toMatchObject({
    code: 'INVALID_QUEUE_ARGUMENT',
  });
  expect(extensions()).toEqual([]);
  await end();
});

test('short jobs come and go without setting a timer each', async () => {
  const bench = new WorkerBench(new ScriptedBackend(LEASE));
  const worker = bench.worker();
  const set = vi.spyOn(globalThis, 'setTimeout');
  for (let index = 0; index < 50; index += 1) {
    await bench.push(`job ${index}`);
    await worker.processNext(1);
  }
  expect(set.mock.calls.length).toBeLessThanOrEqual(2);
});

test('all that runs is renewed by one timer', async () => {
  const bench = new WorkerBench(new ScriptedBackend(LEASE));
  const handler = deferred();
  bench.handler = () => handler.promise;
  for (let index = 0; index < 100; index += 1) await bench.push(`job ${index}`);
  const worker = bench.worker();
  const all = Array.from({ length: 100 }, () => worker.processNext(1));
  await pass(1);
  expect(vi.getTimerCount()).toBe(1);
  await pass(LEASE);
  expect(vi.getTimerCount()).toBe(1);
  expect(bench.backend.settlements).toHaveLength(300);
  handler.resolve(undefined);
  await Promise.all(all);
});

test('a job that blocks the event loop for more than a third of a lease is named in a warning, once', async () => {
  const bench = new WorkerBench(new ScriptedBackend(LEASE));
  let blockedMs = 0;
  bench.handler = () => {
    vi.setSystemTime(Date.now() + blockedMs);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + blockedMs);
  };
  await bench.push('swift');
  await bench.worker().processNext(1);
  expect(bench.logged('job.loop-blocked')).toEqual([]);
  blockedMs = (LEASE / 2) * 1_000;
  await bench.push('blocking');
  await bench.worker().processNext(1);
  expect(bench.logged('job.loop-blocked')).toMatchObject([
    { level: 'warn', job: 'LabelledJob', attempts: 1 },
  ]);
  vi.restoreAllMocks();
});
