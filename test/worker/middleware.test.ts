import { expect, test } from 'vitest';
import { DeferJobException, JobMiddlewareException } from '../../lib/contract/index.js';
import { JobDeferred, JobFailedPermanently, JobStarted, JobSucceeded } from '../../lib/events/index.js';
import type { JobMiddleware, ProviderRef } from '../../lib/jobs/index.js';
import { QueueWorker } from '../../lib/worker/index.js';
import { deferred } from '../support/eventually.js';
import { DEFAULTS, WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobStarted, JobSucceeded, JobFailedPermanently, JobDeferred];

type Use = JobMiddleware['use'];

/** A bench whose worker has these middleware, the first outermost. */
function benchWith(...uses: Use[]) {
  const bench = new WorkerBench();
  const middleware: readonly ProviderRef[] = uses.map((use, index) => ({
    name: `Middleware${index}`,
    wrapper: { use },
    host: null,
  }));
  const audit = { name: 'Audit', wrapper: null, host: null };
  const scopes = bench.scopes();
  const worker = new QueueWorker(
    {
      connection: bench.connection,
      registry: bench.registry,
      scopes: {
        ...scopes,
        open: (definition, delivery) => {
          const scope = scopes.open(definition, delivery);
          return {
            handle: (job) => scope.handle(job),
            dispose: () => scope.dispose(),
            resolve: async (provider) => (provider.wrapper as object | null) ?? scope.resolve(provider),
          };
        },
      },
      listeners: [{ provider: audit, method: 'on', events: OUTCOMES }],
      middleware,
      telemetry: bench.telemetry,
      logger: bench.logger,
    },
    DEFAULTS,
  );
  const process = async (): Promise<void> => {
    await bench.push('a');
    await worker.processNext(1);
  };
  return { bench, process };
}

test('middleware runs around the job in order, with its delivery', async () => {
  const steps: string[] = [];
  const named =
    (name: string): Use =>
    async (delivery, next) => {
      steps.push(`${name} before ${delivery.name} ${delivery.attempts}`);
      const returned = await next();
      steps.push(`${name} after ${String(returned)}`);
      return returned;
    };
  const { bench, process } = benchWith(named('outer'), named('inner'));
  bench.handler = () => {
    steps.push('handle');
    return 'done';
  };
  await process();
  expect(steps).toEqual([
    'outer before LabelledJob 1',
    'inner before LabelledJob 1',
    'handle',
    'inner after done',
    'outer after done',
  ]);
  expect(bench.told).toEqual(['JobStarted', 'JobSucceeded']);
});

test('what it throws, before or after the job, is the failure of the job', async () => {
  const before = new Error('no connection');
  const first = benchWith(() => Promise.reject(before));
  await first.process();
  expect(first.bench.begun).toEqual([]);
  expect(first.bench.events).toMatchObject([{ error: before, cause: 'exhausted' }]);
  const after = new Error('no commit');
  const second = benchWith(async (_, next) => {
    await next();
    throw after;
  });
  await second.process();
  expect(second.bench.begun).toEqual(['a']);
  expect(second.bench.events.at(-1)).toMatchObject({ error: after });
});

test('one that throws synchronously, as only JavaScript can, is the failure of the job', async () => {
  const { bench, process } = benchWith(() => {
    throw new Error('at once');
  });
  await process();
  expect(bench.events).toMatchObject([{ error: { message: 'at once' } }]);
});

test('one that never calls next is the failure of the job, which says so', async () => {
  const { bench, process } = benchWith(async () => undefined);
  await process();
  expect(bench.begun).toEqual([]);
  expect(bench.told).toEqual(['JobFailedPermanently']);
  expect(bench.events).toMatchObject([{ error: expect.any(JobMiddlewareException) }]);
  expect(bench.events).toMatchObject([{ error: { message: expect.stringContaining('Middleware0.use()') } }]);
});

test('one that swallows the error makes the job a success', async () => {
  const { bench, process } = benchWith(async (_, next) => next().catch(() => undefined));
  bench.handler = () => {
    throw new Error('swallowed');
  };
  await process();
  expect(bench.backend.applied).toEqual(['ack']);
});

test('a second call of next is an error, and the job runs once', async () => {
  const { bench, process } = benchWith(async (_, next) => {
    await next();
    await next();
  });
  await process();
  expect(bench.begun).toEqual(['a']);
  expect(bench.events.at(-1)).toMatchObject({ error: { code: 'JOB_MIDDLEWARE' } });
});

test('the handler is waited for by one that does not wait, and its error is not lost', async () => {
  const handler = deferred();
  const error = new Error('late');
  const { bench, process } = benchWith(async (_, next) => void next());
  bench.handler = () => handler.promise;
  const processed = process();
  await new Promise((resolve) => setImmediate(resolve));
  expect(bench.backend.settlements).toEqual([]);
  handler.reject(error);
  await processed;
  expect(bench.events.at(-1)).toMatchObject({ error });
});

test('the handler is waited for by one that gives up on it', async () => {
  const handler = deferred();
  const impatient = new Error('impatient');
  const { bench, process } = benchWith(async (_, next) => {
    void next().catch(() => undefined);
    throw impatient;
  });
  bench.handler = () => handler.promise;
  const processed = process();
  await new Promise((resolve) => setImmediate(resolve));
  expect(bench.backend.settlements).toEqual([]);
  handler.resolve(undefined);
  await processed;
  expect(bench.events.at(-1)).toMatchObject({ error: impatient });
});

test('it can put a job off, which then was not begun', async () => {
  const { bench, process } = benchWith(() => Promise.reject(new DeferJobException(7, 'maintenance')));
  await process();
  expect(bench.told).toEqual(['JobDeferred']);
  expect(bench.backend.applied).toEqual(['defer']);
});
