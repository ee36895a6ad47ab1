import { expect, test } from 'vitest';
import {
  ConnectionFailed,
  LeaseLostException,
  QueueConfigurationException,
  ServerRefused,
} from '../../lib/contract/index.js';
import { JobSettlementLost, JobStarted, JobSucceeded } from '../../lib/events/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { SendingBackend } from '../support/sending-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

const EVENTS = [JobStarted, JobSucceeded, JobSettlementLost];
const down = new ConnectionFailed('refused by 10.0.0.1');

function sending() {
  const backend = new SendingBackend();
  return { backend, bench: new WorkerBench(backend) };
}

test('a consumer that is cut off is an outage, and the worker consumes again', async () => {
  const { backend, bench } = sending();
  const worker = bench.worker();
  const run = worker.run();
  await bench.push('before');
  await eventually('the first job', () => backend.applied.length === 1);
  for (let cut = 1; cut <= 3; cut += 1) {
    await backend.disconnect();
    await eventually('the worker to notice', () => !worker.status.reached);
    await bench.push(`after cut ${cut}`);
    await eventually('the next job', () => backend.applied.length === 1 + cut);
    expect(worker.status.reached).toBe(true);
  }
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['before', 'after cut 1', 'after cut 2', 'after cut 3']);
  expect(backend.consumers.map(({ options }) => options.prefetch)).toEqual([1, 1, 1, 1]);
  expect(bench.logged('worker.connection-lost')).toHaveLength(3);
  expect(bench.logged('worker.connection-restored')).toHaveLength(3);
  expect(backend.reserveLimits).toEqual([]);
});

test('what runs when the channel is lost is told by its signal, its settlement is lost, and the loop goes on', async () => {
  const { backend, bench } = sending();
  const ended = deferred();
  let reason: unknown;
  bench.handler = async (delivery) => {
    if (bench.begun.length > 1) return;
    delivery.signal.addEventListener('abort', () => (reason = delivery.signal.reason));
    await ended.promise;
  };
  await bench.push('a');
  const worker = bench.worker({ concurrency: 2 }, EVENTS);
  const run = worker.run();
  await eventually('the job to run', () => bench.begun.length === 1);
  await backend.disconnect();
  expect(reason).toBeInstanceOf(LeaseLostException);
  await eventually('the job to come again', () => bench.told.includes('JobSucceeded'));
  ended.resolve();
  await eventually('the first settlement', () => bench.told.includes('JobSettlementLost'));
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['a', 'a']);
  expect(backend.applied).toEqual(['ack']);
});

test('what waits for a slot when its channel is lost is dropped without a word, and runs when it comes again', async () => {
  const { backend, bench } = sending();
  const disposal = deferred();
  bench.hooks.dispose = () => disposal.promise;
  await bench.push('a');
  await bench.push('b');
  const worker = bench.worker({}, EVENTS);
  const run = worker.run();
  await eventually('the first job to be settled, the second to come', () => {
    return backend.applied.length === 1 && backend.sent === 2;
  });
  await backend.disconnect();
  await eventually('it to be sent again', () => backend.sent === 3);
  disposal.resolve();
  await eventually('it to be done', () => backend.applied.length === 2);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['a', 'b']);
  expect(bench.told).toEqual(['JobStarted', 'JobSucceeded', 'JobStarted', 'JobSucceeded']);
});

test('a consumer that its server cancels leaves its deliveries: they are settled, and one waiting is run', async () => {
  const { backend, bench } = sending();
  const gate = deferred();
  bench.handler = () => gate.promise;
  await bench.push('a');
  const worker = bench.worker({}, EVENTS);
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  await bench.push('b');
  await backend.send();
  backend.consumer.options.onLost(new ServerRefused('the queue was deleted'));
  await eventually('another consumer', () => backend.opened === 2);
  gate.resolve();
  await eventually('both to be done', () => backend.applied.length === 2);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['a', 'b']);
  expect(backend.applied).toEqual(['ack', 'ack']);
  expect(bench.logged('worker.connection-lost')).toMatchObject([
    { reason: expect.stringContaining('refuses') },
  ]);
});

test('what came by a cancelled consumer is run although no other can be opened', async () => {
  const { backend, bench } = sending();
  const gate = deferred();
  bench.handler = () => gate.promise;
  await bench.push('a');
  const worker = bench.worker();
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  await bench.push('b');
  await backend.send();
  backend.nextConsumes.push(...Array.from({ length: 50 }, () => down));
  backend.consumer.options.onLost(new ServerRefused('the queue was deleted'));
  await eventually('a try', () => backend.consumers.length > 1);
  gate.resolve();
  await eventually('both to be done', () => backend.applied.length === 2);
  expect(backend.opened).toBe(1);
  worker.stop();
  await run;
});

test('a consumer that cannot be opened is an outage, and is tried again', async () => {
  const { backend, bench } = sending();
  backend.nextConsumes.push(down, down);
  await bench.push('a');
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the job', () => backend.applied.length === 1);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.logged('worker.connection-lost')).toHaveLength(1);
  expect(bench.logged('worker.connection-restored')).toMatchObject([{ failures: 2 }]);
});

test('maxConnectionFailures bounds the openings in a row, and ends with 69', async () => {
  const { backend, bench } = sending();
  backend.nextConsumes.push(down, down, down);
  const result = await bench.worker({ maxConnectionFailures: 2 }).run();
  expect(result).toMatchObject({ exitCode: 69, error: down });
  expect(backend.consumers).toHaveLength(2);
});

test('one that is lost and cannot be opened again is one outage, which the same bound ends', async () => {
  const { backend, bench } = sending();
  const run = bench.worker({ maxConnectionFailures: 3 }).run();
  await eventually('the consumer', () => backend.opened === 1);
  backend.nextConsumes.push(down, down, down);
  await backend.disconnect();
  expect(await run).toMatchObject({ exitCode: 69, error: down });
  expect(backend.consumers).toHaveLength(3);
  expect(bench.logged('worker.connection-lost')).toHaveLength(1);
});

test('one that is lost while it is being opened counts once', async () => {
  const { backend, bench } = sending();
  const answer = deferred();
  backend.nextConsumes.push(answer.promise);
  const run = bench.worker({ maxConnectionFailures: 2 }).run();
  await eventually('the opening', () => backend.consumers.length === 1);
  backend.consumer.options.onLost(down);
  answer.reject(down);
  await eventually('another opening', () => backend.opened === 1);
  backend.nextConsumes.push(down);
  await backend.disconnect();
  expect(await run).toMatchObject({ exitCode: 69 });
  expect(backend.consumers).toHaveLength(3);
});

test('one that is lost in the moment in which it opens is opened again at once', async () => {
  const { backend, bench } = sending();
  const answer = deferred();
  backend.nextConsumes.push(answer.promise);
  const worker = bench.worker({ pollTimeoutSeconds: 3_600 });
  const run = worker.run();
  await eventually('the opening', () => backend.consumers.length === 1);
  backend.consumer.options.onLost(down);
  answer.resolve();
  await eventually('another opening', () => backend.opened === 2);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
});

test.each([
  [new TypeError('a defect'), 70],
  [new QueueConfigurationException('declared with other arguments'), 64],
])('what is no trouble of the server ends the run (%s)', async (error, exitCode) => {
  const opening = sending();
  opening.backend.nextConsumes.push(error);
  expect(await opening.bench.worker().run()).toMatchObject({ exitCode, error });
  const later = sending();
  const run = later.bench.worker().run();
  await eventually('the consumer', () => later.backend.opened === 1);
  later.backend.consumer.options.onLost(error);
  expect(await run).toMatchObject({ exitCode, error });
  expect(later.backend.consumer.open).toBe(false);
});

test('a defect that shows while the consumer is stopped ends the run with 70', async () => {
  const { backend, bench } = sending();
  const stopped = deferred();
  backend.holdStop = stopped.promise;
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the consumer', () => backend.opened === 1);
  worker.stop();
  stopped.reject(new TypeError('a defect'));
  expect(await run).toMatchObject({ exitCode: 70, error: expect.any(TypeError) });
});

test('a server that is lost while the consumer is stopped does not change how the run ends', async () => {
  const { backend, bench } = sending();
  const stopped = deferred();
  backend.holdStop = stopped.promise;
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the consumer', () => backend.opened === 1);
  worker.stop();
  stopped.reject(down);
  expect(await run).toMatchObject({ exitCode: 0 });
});

test('a stop during the pause between two tries, or during a reconnect, is a stop: no consumer is opened any more', async () => {
  const paused = sending();
  paused.backend.nextConsumes.push(...Array.from({ length: 50 }, () => down));
  const worker = paused.bench.worker();
  const run = worker.run();
  await eventually('the outage', () => paused.bench.logged('worker.connection-lost').length === 1);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
  const tries = paused.backend.consumers.length;

  const reconnecting = sending();
  const answer = deferred();
  const other = reconnecting.bench.worker();
  const otherRun = other.run();
  await eventually('the consumer', () => reconnecting.backend.opened === 1);
  reconnecting.backend.nextConsumes.push(answer.promise);
  await reconnecting.backend.disconnect();
  await eventually('the reconnect', () => reconnecting.backend.consumers.length === 2);
  other.stop();
  expect(await otherRun).toMatchObject({ exitCode: 0 });
  answer.resolve();
  await eventually('the late consumer to be stopped', () => {
    return reconnecting.backend.opened === 2 && !reconnecting.backend.consumer.open;
  });
  expect(reconnecting.backend.consumers).toHaveLength(2);
  expect(paused.backend.consumers).toHaveLength(tries);
});
