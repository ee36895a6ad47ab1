import { diag, type DiagLogger } from '@opentelemetry/api';
import { AggregationTemporality } from '@opentelemetry/sdk-metrics';
import { afterEach, expect, test } from 'vitest';
import type { ObservedConnection, QueueCounts } from '../../lib/index.js';
import { Job, memory, provideJobs, Queue } from '../../lib/index.js';
import { Instruments } from '../../lib/telemetry/instruments.js';
import { QueueGauges } from '../../lib/telemetry/queue-gauges.js';
import { WorkerBench } from '../support/worker-bench.js';
import { Notify } from './support/order.jobs.js';
import { startApplication } from './support/start-application.js';
import { TelemetryBench } from './support/telemetry-bench.js';

const WAITING = 'kinetis_queue.queue.waiting';
const OLDEST = 'kinetis_queue.queue.oldest_age';

@Job({ queue: 'bulk' })
class Later {
  handle(): void {}
}

const byQueue = async (bench: TelemetryBench, metric: string) =>
  Object.fromEntries(
    (await bench.measured(metric)).map(({ attributes, value }) => [
      attributes['messaging.destination.name'],
      value,
    ]),
  );

test('queues that are named are measured, until their application closes', async () => {
  const bench = new TelemetryBench(AggregationTemporality.DELTA);
  let now = Date.now();
  const backend = memory({ clock: { now: () => now } });
  const telemetry = bench.telemetry({ measureQueues: { default: ['mail', 'bulk'], ledger: ['mail'] } });
  const app = await startApplication(backend, { telemetry }, provideJobs(Notify, Later));
  await app.get(Queue).pushMany([new Notify('1'), new Notify('2')]);
  now += 90_000;
  expect(await byQueue(bench, WAITING)).toEqual({ mail: 2, bulk: 0 });
  expect(await byQueue(bench, OLDEST)).toEqual({ mail: 90, bulk: 0 });
  const [point] = await bench.measured(WAITING);
  expect(point?.attributes).toMatchObject({ 'kinetis_queue.connection': 'default' });
  await app.close();
  expect(await byQueue(bench, WAITING)).toEqual({});
});

test('queues that a worker watches are measured while it runs, unless that is turned off', async () => {
  for (const measureWatchedQueues of [true, false]) {
    const telemetry = new TelemetryBench(AggregationTemporality.DELTA);
    const bench = new WorkerBench();
    bench.telemetry = telemetry.telemetry({ measureWatchedQueues });
    const worker = bench.worker({ queues: ['mail', 'bulk'] });
    expect(await byQueue(telemetry, WAITING)).toEqual({});
    const running = worker.run();
    expect(await byQueue(telemetry, WAITING)).toEqual(measureWatchedQueues ? { mail: 0, bulk: 0 } : {});
    worker.stop();
    await running;
    expect(await byQueue(telemetry, WAITING)).toEqual({});
  }
});

const COUNTS: QueueCounts = {
  ready: 3,
  delayed: null,
  reserved: null,
  failed: null,
  oldestReadySeconds: 7,
  paused: false,
};

class Connection implements ObservedConnection {
  readonly driver = 'test';
  readonly asked: string[] = [];

  constructor(
    readonly name: string,
    readonly answer: (queue: string) => Promise<QueueCounts>,
  ) {}

  counts(queue: string): Promise<QueueCounts> {
    this.asked.push(queue);
    return this.answer(queue);
  }
}

function gaugesOf(bench: TelemetryBench, longestMs?: number): QueueGauges {
  const instruments = new Instruments(bench.meterProvider);
  return new QueueGauges(() => instruments, longestMs);
}

test('a queue that is observed twice is asked for once, until nobody observes it', async () => {
  const bench = new TelemetryBench(AggregationTemporality.DELTA);
  const gauges = gaugesOf(bench);
  const connection = new Connection('default', async () => COUNTS);
  const stops = [gauges.observe(connection, ['mail']), gauges.observe(connection, ['mail', 'bulk'])];
  await bench.measured(WAITING);
  expect(connection.asked).toEqual(['mail', 'bulk']);
  stops[1]?.();
  stops[1]?.();
  expect(await byQueue(bench, WAITING)).toEqual({ mail: 3 });
  stops[0]?.();
  expect(await byQueue(bench, WAITING)).toEqual({});
});

test('of jobs whose age the backend cannot know no age is told', async () => {
  const bench = new TelemetryBench(AggregationTemporality.DELTA);
  gaugesOf(bench).observe(new Connection('default', async () => ({ ...COUNTS, oldestReadySeconds: null })), [
    'mail',
  ]);
  expect(await byQueue(bench, WAITING)).toEqual({ mail: 3 });
  expect(await byQueue(bench, OLDEST)).toEqual({});
});

afterEach(() => diag.disable());

test('a server that fails, or never answers, costs its own queues only, and is not asked twice at a time', async () => {
  const warned: string[] = [];
  const logger = {
    warn: (message: string) => void warned.push(message),
  } as Partial<DiagLogger> as DiagLogger;
  diag.setLogger(logger, { suppressOverrideMessage: true });
  const bench = new TelemetryBench(AggregationTemporality.DELTA);
  const gauges = gaugesOf(bench, 50);
  const silent = new Connection('silent', () => new Promise(() => undefined));
  gauges.observe(silent, ['mail']);
  gauges.observe(new Connection('broken', () => Promise.reject(new RangeError('password hunter2'))), [
    'mail',
  ]);
  gauges.observe(new Connection('good', async () => COUNTS), ['mail']);
  const connections = async () =>
    (await bench.measured(WAITING)).map(({ attributes }) => attributes['kinetis_queue.connection']);
  expect(await connections()).toEqual(['good']);
  expect(await connections()).toEqual(['good']);
  expect(silent.asked).toEqual(['mail']);
  expect(warned).toHaveLength(2);
  expect(warned[0]).toBe('Queues of the connection "broken" were not measured: RangeError.');
});
