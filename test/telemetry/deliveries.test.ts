import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { beforeEach, expect, test } from 'vitest';
import { DeferJobException, FailJobException } from '../../lib/contract/index.js';
import { Job, type JobMiddleware } from '../../lib/jobs/index.js';
import { QueueWorker } from '../../lib/worker/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { type ScriptedAnswer, ScriptedBackend } from '../support/scripted-backend.js';
import { DEFAULTS, type Handler, LabelledJob, WorkerBench } from '../support/worker-bench.js';
import { TelemetryBench } from './support/telemetry-bench.js';
import { traceLines } from './support/trace-lines.js';

class CardDeclined extends Error {}

class Unlisted {
  handle(): void {}
}
Job()(Unlisted);

class FollowUpsBackend extends ScriptedBackend {
  constructor(readonly atomicFollowUps: boolean) {
    super();
  }

  override get capabilities(): ScriptedBackend['capabilities'] {
    return { ...super.capabilities, atomicFollowUps: this.atomicFollowUps };
  }
}

class Slow {
  constructor(readonly label: string) {}

  handle(): void {}
}
Job({ args: ['label'], timeoutSeconds: 0.01 })(Slow);

let telemetry: TelemetryBench;
let bench: WorkerBench;

beforeEach(() => {
  telemetry = new TelemetryBench();
  bench = new WorkerBench();
  bench.telemetry = telemetry.telemetry();
});

const throwing = (error: unknown) => (): never => {
  throw error;
};

const declined = throwing(new CardDeclined('no'));
const succeeds = (): undefined => undefined;

const ENDINGS: readonly [what: string, handler: Handler, answer: ScriptedAnswer, said: string][] = [
  ['a success', succeeds, 'applied', 'succeeded'],
  ['a release', declined, 'applied', 'released, CardDeclined'],
  ['a failure', throwing(new FailJobException('no')), 'applied', 'failed, FailJobException'],
  ['a deferral', throwing(new DeferJobException(9)), 'applied', 'deferred'],
  ['a lost ack', succeeds, 'stale', 'lost, StaleJobHandleException'],
  ['a lost release', declined, 'stale', 'lost, CardDeclined'],
  ['a lost failure', throwing(new FailJobException('no')), 'stale', 'lost, FailJobException'],
  ['a lost deferral', throwing(new DeferJobException(9)), 'stale', 'lost, StaleJobHandleException'],
  ['an ack without an answer', succeeds, 'unknown', 'unknown, OutcomeUnknown'],
  ['a release without an answer', declined, 'unknown', 'unknown, CardDeclined'],
  ['an ack that meets a defect', succeeds, new RangeError('defect'), 'unknown, RangeError'],
  ['a release that meets a defect', declined, new RangeError('defect'), 'unknown, CardDeclined'],
];

test.each(ENDINGS)('%s closes its span and says so', async (_what, handler, answer, said) => {
  bench.handler = handler;
  bench.backend.nextSettlements.push(answer);
  await bench.push('a', { maxAttempts: 2 });
  await bench
    .worker()
    .processNext(1)
    .catch(() => undefined);
  expect(traceLines(telemetry.spans)).toEqual([`CONSUMER process default, LabelledJob, #1, ${said}`]);
  expect(telemetry.open).toEqual([]);
});

test('a delivery is a span by the conventions for messaging', async () => {
  bench.handler = throwing(new FailJobException('no'));
  const id = await bench.push('a');
  await bench.worker().processNext(1);
  expect(telemetry.spans).toMatchObject([{ name: 'process default', kind: SpanKind.CONSUMER }]);
  expect(telemetry.spans[0]?.attributes).toEqual({
    'messaging.system': 'kinetis_queue',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': 'default',
    'messaging.message.id': id,
    'kinetis_queue.connection': 'default',
    'kinetis_queue.job.name': 'LabelledJob',
    'kinetis_queue.job.attempt': 1,
    'kinetis_queue.outcome': 'failed',
    'kinetis_queue.failure.cause': 'fatal',
    'error.type': 'FailJobException',
  });
});

test('a job that waits for a deploy is deferred, with what keeps it from being rebuilt', async () => {
  await bench.queue.push(new Unlisted());
  await bench.worker().processNext(1);
  expect(traceLines(telemetry.spans)).toEqual([
    'CONSUMER process default, Unlisted, #1, deferred, JobReconstructionException',
  ]);
});

test('a scope that does not open, and a job that ended too many workers, have a span', async () => {
  bench.hooks.open = throwing(new CardDeclined('no tenant'));
  await bench.push('a', { maxAttempts: 2 });
  await bench.worker().processNext(1);
  bench.hooks.open = () => undefined;
  await bench.worker({ crashAllowance: -2 }).processNext(1);
  expect(traceLines(telemetry.spans)).toEqual([
    'CONSUMER process default, LabelledJob, #1, released, CardDeclined',
    'CONSUMER process default, LabelledJob, #2, failed, MaxAttemptsExceededException',
  ]);
  expect(telemetry.open).toEqual([]);
});

test('a forced stop closes the span of a handler that does not end', async () => {
  const begun = deferred();
  const end = deferred();
  bench.handler = () => {
    begun.resolve();
    return end.promise;
  };
  await bench.push('a');
  const worker = bench.worker();
  const running = worker.run();
  await begun.promise;
  await worker.forceStop();
  expect(traceLines(telemetry.spans)).toEqual(['CONSUMER process default, LabelledJob, #1, given_back']);
  end.resolve();
  await running;
  expect(telemetry.spans).toHaveLength(1);
  expect(telemetry.open).toEqual([]);
});

test.each([
  [true, 'stale', 'refused, StaleJobHandleException', 'lost, StaleJobHandleException'],
  [true, 'unknown', 'unknown, OutcomeUnknown', 'unknown, OutcomeUnknown'],
  [false, 'stale', 'stored', 'lost, StaleJobHandleException'],
  [false, new RangeError('defect'), 'stored', 'unknown, RangeError'],
] as const)(
  'the span of a follow-up, stored with the ack (%s) that is %s, says what became of it',
  async (atomicFollowUps, answer, pushed, processed) => {
    bench = new WorkerBench(new FollowUpsBackend(atomicFollowUps), [LabelledJob], telemetry.telemetry());
    bench.backend.nextSettlements.push(answer);
    await bench.queue.chain([new LabelledJob('a'), new LabelledJob('b')]);
    await bench
      .worker()
      .processNext(1)
      .catch(() => undefined);
    expect(traceLines(telemetry.spans)).toEqual([
      'PRODUCER push default, LabelledJob, stored',
      `  CONSUMER process default, LabelledJob, #1, ${processed}`,
      `    PRODUCER push default, LabelledJob, ${pushed}`,
    ]);
    expect(telemetry.open).toEqual([]);
  },
);

/** A worker whose deliveries go through a middleware. */
function workerThrough(use: JobMiddleware['use']): QueueWorker {
  const scopes = bench.scopes();
  return new QueueWorker(
    {
      connection: bench.connection,
      registry: bench.registry,
      scopes: {
        ...scopes,
        open: (definition, delivery) => ({
          ...scopes.open(definition, delivery),
          resolve: async () => ({ use }),
        }),
      },
      listeners: [],
      middleware: [{ name: 'Middleware', wrapper: null, host: null }],
      telemetry: bench.telemetry,
      logger: bench.logger,
    },
    DEFAULTS,
  );
}

test('a delivery that never comes as far as its handler has a span', async () => {
  await bench.push('a');
  await workerThrough(declined).processNext(1);
  expect(traceLines(telemetry.spans)).toEqual([
    'CONSUMER process default, LabelledJob, #1, failed, CardDeclined',
  ]);
  expect(telemetry.open).toEqual([]);
});

test('a handler that begins after a forced stop gave its delivery back opens no other span', async () => {
  const waiting = deferred();
  const open = deferred();
  const worker = workerThrough(async (_delivery, next) => {
    waiting.resolve();
    await open.promise;
    return next();
  });
  await bench.push('a');
  const running = worker.run();
  await waiting.promise;
  await worker.forceStop();
  await running;
  open.resolve();
  await eventually('the handler to begin', () => bench.begun.length === 1);
  expect(traceLines(telemetry.spans)).toEqual(['CONSUMER process default, LabelledJob, #1, given_back']);
  expect(telemetry.open).toEqual([]);
});

test('a handler that does not end in time leaves no span open', async () => {
  const end = deferred();
  bench = new WorkerBench(new ScriptedBackend(), [Slow]);
  bench.telemetry = telemetry.telemetry();
  bench.handler = () => end.promise;
  await bench.queue.push(new Slow('a'));
  const running = bench.worker({ timeoutGraceSeconds: 0.01 }).run();
  await eventually('the span to end', () => telemetry.spans.length === 1);
  expect(traceLines(telemetry.spans)).toEqual([
    'CONSUMER process default, Slow, #1, failed, JobTimeoutException',
  ]);
  expect(telemetry.open).toEqual([]);
  end.resolve();
  await running;
  expect(telemetry.spans).toHaveLength(1);
});

test('deliveries are counted and timed by outcome, lost and unknown settlements apart', async () => {
  const handlers = [succeeds, succeeds, declined, succeeds, declined];
  bench.backend.nextSettlements.push('applied', 'applied', 'applied', 'stale', 'unknown');
  const worker = bench.worker();
  for (const handler of handlers) {
    bench.handler = handler;
    await bench.push('a', { priority: 1 });
    await worker.processNext(1);
  }
  const of = async (metric: string) =>
    (await telemetry.measured(metric)).map(({ attributes, value }) => [
      attributes['kinetis_queue.outcome'],
      attributes['error.type'],
      typeof value === 'number' ? value : value.count,
    ]);
  const byOutcome = [
    ['succeeded', undefined, 2],
    ['failed', 'CardDeclined', 1],
    ['lost', 'StaleJobHandleException', 1],
    ['unknown', 'CardDeclined', 1],
  ];
  expect(await of('messaging.client.consumed.messages')).toEqual(byOutcome);
  expect(await of('messaging.process.duration')).toEqual(byOutcome);
  expect(await of('kinetis_queue.settlements.lost')).toEqual([[undefined, undefined, 1]]);
  expect(await of('kinetis_queue.settlements.unknown')).toEqual([[undefined, undefined, 1]]);
  const [first] = await telemetry.measured('messaging.process.duration');
  expect(first?.attributes).toMatchObject({
    'messaging.destination.name': 'default',
    'kinetis_queue.job.name': 'LabelledJob',
  });
});

test('the status of a failed span is an error without a message', async () => {
  bench.handler = declined;
  await bench.push('a');
  await bench.worker().processNext(1);
  expect(telemetry.spans[0]?.status).toEqual({ code: SpanStatusCode.ERROR });
  expect(telemetry.spans[0]?.events).toEqual([]);
});
