import { expect, test } from 'vitest';
import {
  DeferJobException,
  FailJobException,
  JobReconstructionException,
  type Settlement,
} from '../../lib/contract/index.js';
import {
  JobDeferred,
  JobFailedPermanently,
  JobReleased,
  JobStarted,
  JobSucceeded,
} from '../../lib/events/index.js';
import { Job } from '../../lib/jobs/index.js';
import { WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobStarted, JobSucceeded, JobReleased, JobFailedPermanently, JobDeferred];

function throwing(error: unknown): WorkerBench {
  const bench = new WorkerBench();
  bench.handler = () => {
    throw error;
  };
  return bench;
}

/** A value at which even `instanceof` throws. */
function unreadable(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function lastSettlement(bench: WorkerBench): Settlement | undefined {
  return bench.backend.settlements.at(-1)?.settlement;
}

test('a job that returns is acked, told as succeeded, and its scope disposed after that', async () => {
  const bench = new WorkerBench();
  bench.listener = () => expect(bench.disposed).toBe(0);
  await bench.push('a');
  expect(await bench.worker({}, OUTCOMES).processNext(1)).toBe(true);
  expect(bench.begun).toEqual(['a']);
  expect(bench.backend.applied).toEqual(['ack']);
  expect(bench.told).toEqual(['JobStarted', 'JobSucceeded']);
  expect(bench.disposed).toBe(1);
  expect(bench.logged('job.succeeded')).toMatchObject([
    { job: 'LabelledJob', queue: 'default', connection: 'default', attempts: 1, worker: 'test-worker' },
  ]);
});

test('the order of a delivery is scope, telemetry, handler, settlement, report, disposal', async () => {
  const bench = new WorkerBench();
  const steps: string[] = [];
  bench.hooks.open = () => steps.push('open');
  bench.hooks.dispose = () => void steps.push('dispose');
  bench.handler = () => steps.push('handle');
  bench.telemetry = {
    startJob: () => {
      steps.push('span');
      return {
        run: (work) => work(),
        end: () => steps.push(`end after ${bench.backend.applied.join()}`),
      };
    },
  };
  bench.listener = (event) => steps.push(event.constructor.name);
  await bench.push('a');
  await bench.worker({}, [JobStarted, JobSucceeded]).processNext(1);
  const expected = ['open', 'span', 'JobStarted', 'handle', 'end after ack', 'JobSucceeded', 'dispose'];
  expect(steps).toEqual(expected);
});

test('processNext answers false when there is nothing, and handles one job where there are two', async () => {
  const bench = new WorkerBench();
  const worker = bench.worker();
  expect(await worker.processNext(0.01)).toBe(false);
  await bench.push('a');
  await bench.push('b');
  expect(await worker.processNext(1)).toBe(true);
  expect(bench.begun).toEqual(['a']);
});

test('a job that throws below its cap is released, and at its cap it fails as exhausted', async () => {
  const bench = throwing(new Error('no'));
  await bench.push('a', { maxAttempts: 2 });
  const worker = bench.worker({}, OUTCOMES);
  await worker.processNext(1);
  await worker.processNext(1);
  expect(bench.backend.applied).toEqual(['release', 'fail']);
  expect(bench.told).toEqual(['JobStarted', 'JobReleased', 'JobStarted', 'JobFailedPermanently']);
  expect(bench.events.at(-1)).toMatchObject({ cause: 'exhausted', attempts: 2 });
});

test.each([
  [0, null, 'fail'],
  [1, null, 'fail'],
  [2, null, 'release'],
  [0, 2, 'release'],
  [5, 0, 'fail'],
  [5, 1, 'fail'],
])("a worker's cap of %i and a push's of %s make of a first throw: %s", async (worker, push, expected) => {
  const bench = throwing(new Error('no'));
  await bench.push('a', { maxAttempts: push });
  await bench.worker({ maxAttempts: worker }).processNext(1);
  expect(bench.backend.applied).toEqual([expected]);
});

test("a handler sees the cap that holds for its delivery and whether the attempt is its job's last", async () => {
  const bench = new WorkerBench();
  const seen: unknown[] = [];
  bench.handler = (delivery) => {
    seen.push([delivery.attempts, delivery.maxAttempts, delivery.lastAttempt]);
    throw new Error('again');
  };
  await bench.push('a');
  const worker = bench.worker({ maxAttempts: 2 });
  await worker.processNext(1);
  await worker.processNext(1);
  expect(seen).toEqual([
    [1, 2, false],
    [2, 2, true],
  ]);
});

test('FailJobException is final at once, as fatal', async () => {
  const bench = throwing(new FailJobException('never'));
  await bench.push('a', { maxAttempts: 9 });
  await bench.worker({}, OUTCOMES).processNext(1);
  expect(bench.backend.applied).toEqual(['fail']);
  expect(bench.events.at(-1)).toMatchObject({ cause: 'fatal' });
});

test('DeferJobException brings the job back after its seconds without spending an attempt', async () => {
  const bench = throwing(new DeferJobException(7, 'rate limit'));
  await bench.push('a');
  await bench.worker({}, OUTCOMES).processNext(1);
  expect(bench.backend.applied).toEqual(['defer']);
  expect(lastSettlement(bench)).toMatchObject({ delaySeconds: 7, changes: { deferrals: 1 } });
  expect(lastSettlement(bench)).not.toHaveProperty('changes.attempts');
  expect(bench.told).toEqual(['JobStarted', 'JobDeferred']);
  expect(bench.logged('job.deferred')).toMatchObject([{ level: 'log', delaySeconds: 7 }]);
});

test('a deferral by no usable number is one without delay, with a warning', async () => {
  const bench = throwing(new DeferJobException(Number.NaN));
  await bench.push('a');
  await bench.worker().processNext(1);
  expect(lastSettlement(bench)).toMatchObject({ operation: 'defer', delaySeconds: 0 });
  expect(bench.logged('job.backoff-refused')).toHaveLength(1);
});

class Unlisted {
  handle(): void {}
}
Job()(Unlisted);

test.each([
  [0, 'fail'],
  [2, 'release'],
])(
  'without a grace for deploys a job of an unlisted class is a failure: with a cap of %i it is %s',
  async (maxAttempts, expected) => {
    const bench = new WorkerBench();
    await bench.queue.push(new Unlisted());
    await bench.worker({ maxAttempts, schemaGraceSeconds: 0 }, OUTCOMES).processNext(1);
    expect(bench.backend.applied).toEqual([expected]);
    expect(bench.begun).toEqual([]);
    expect(bench.events.at(-1)).toMatchObject({
      error: expect.objectContaining({
        reason: 'unknown-class',
        message: expect.stringContaining('provideJobs'),
      }),
    });
  },
);

test('a job of an unlisted class that is given up on has the cause unknown-class, and no argument is shown', async () => {
  const bench = new WorkerBench();
  await bench.push('a');
  const other = new WorkerBench(bench.backend, []);
  await other.worker({ schemaGraceSeconds: 0 }, OUTCOMES).processNext(1);
  expect(other.events.at(-1)).toMatchObject({
    cause: 'unknown-class',
    args: { label: '[redacted]', secret: '[redacted]' },
  });
});

test('an exception of the rebuild vocabulary that the handler itself throws is no unknown class', async () => {
  const bench = throwing(new JobReconstructionException('unknown-class', 'from within'));
  await bench.push('a');
  await bench.worker({}, OUTCOMES).processNext(1);
  expect(bench.events.at(-1)).toMatchObject({ cause: 'exhausted' });
});

test('a scope that cannot be opened is the failure of its job, and is told to static listeners', async () => {
  const bench = new WorkerBench();
  bench.hooks.open = () => {
    throw new Error('no tenant');
  };
  await bench.push('a', { maxAttempts: 2 });
  expect(await bench.worker({}, OUTCOMES).processNext(1)).toBe(true);
  expect(bench.backend.applied).toEqual(['release']);
  expect(bench.told).toEqual(['JobStarted', 'JobReleased']);
  expect([bench.opened, bench.disposed]).toEqual([0, 0]);
});

test('a final failure is logged before the transition with redacted arguments, another without any', async () => {
  const bench = throwing(new Error('no'));
  await bench.push('visible', { maxAttempts: 2 });
  const worker = bench.worker();
  await worker.processNext(1);
  await worker.processNext(1);
  const [threw] = bench.logged('job.threw');
  expect(threw).not.toHaveProperty('args');
  expect(JSON.stringify(threw)).not.toContain('visible');
  expect(bench.logged('job.failed')).toMatchObject([
    {
      level: 'error',
      cause: 'exhausted',
      error: 'Error: no',
      args: { label: 'visible', secret: '[redacted]' },
    },
  ]);
  expect(JSON.stringify(bench.lines)).not.toContain('s3cret');
});

test.each([[undefined], [null], ['text'], [Symbol('s')], [Object.create(null)]])(
  'a job may throw anything at all: %s',
  async (thrown) => {
    const bench = throwing(thrown);
    await bench.push('a');
    await bench.worker({}, OUTCOMES).processNext(1);
    expect(bench.backend.applied).toEqual(['fail']);
    expect(bench.told).toEqual(['JobStarted', 'JobFailedPermanently']);
  },
);

test('extend reaches the backend for the delivery, and keeps it settleable', async () => {
  const bench = new WorkerBench();
  bench.handler = (delivery) => delivery.extend({ seconds: 120 });
  await bench.push('a');
  await bench.worker().processNext(1);
  expect(bench.backend.applied).toEqual(['extend', 'ack']);
  expect(bench.backend.settlements[0]?.settlement).toMatchObject({ seconds: 120 });
});

test('a thrown value of which nothing can be asked is the failure of its job, not the end of the worker', async () => {
  const bench = throwing(unreadable());
  await bench.push('a');
  expect(await bench.worker({}, OUTCOMES).processNext(1)).toBe(true);
  expect(bench.backend.applied).toEqual(['fail']);
  expect(lastSettlement(bench)).toMatchObject({
    failure: { message: 'The job threw a value that cannot be read.' },
  });
  expect(bench.told).toEqual(['JobStarted', 'JobFailedPermanently']);
});
