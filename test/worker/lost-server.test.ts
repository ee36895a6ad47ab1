import { expect, test } from 'vitest';
import {
  ConnectionFailed,
  QueueConfigurationException,
  SchemaOutdatedException,
  ServerRefused,
} from '../../lib/contract/index.js';
import { eventually } from '../support/eventually.js';
import { WorkerBench } from '../support/worker-bench.js';

const down = new ConnectionFailed('refused by 10.0.0.1');

test('a server that is lost while the worker looks for work is waited for, and the worker goes on', async () => {
  const bench = new WorkerBench();
  const worker = bench.worker({ maxJobs: 2 });
  await bench.push('before');
  const run = worker.run();
  await eventually('the first job', () => bench.begun.length === 1);
  bench.backend.serverDown = down;
  await bench.push('wakes the look');
  const tries = bench.backend.reserveLimits.length;
  await eventually('some tries', () => bench.backend.reserveLimits.length >= tries + 2);
  expect(worker.status.reached).toBe(false);
  bench.backend.serverDown = null;
  expect(await run).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['before', 'wakes the look']);
});

test('an outage is one error line, and its end another line', async () => {
  const bench = new WorkerBench();
  bench.backend.serverDown = down;
  await bench.push('a');
  const run = bench.worker({ maxJobs: 1 }).run();
  await eventually('some tries', () => bench.backend.reserveLimits.length >= 3);
  bench.backend.serverDown = null;
  await run;
  expect(bench.logged('worker.connection-lost')).toMatchObject([
    { level: 'error', error: expect.stringContaining('ConnectionFailed') },
  ]);
  expect(bench.logged('worker.connection-restored')).toMatchObject([
    { level: 'log', failures: expect.any(Number) },
  ]);
});

test('a server that refuses to hand out work is one that is lost', async () => {
  const bench = new WorkerBench();
  bench.backend.serverDown = new ServerRefused('loading');
  const result = await bench.worker({ maxConnectionFailures: 2 }).run();
  expect(result).toMatchObject({ exitCode: 69 });
});

test('a stop ends the pause between two tries at once', async () => {
  const bench = new WorkerBench();
  bench.backend.serverDown = down;
  const worker = bench.worker();
  const run = worker.run();
  await eventually('the outage', () => bench.logged('worker.connection-lost').length === 1);
  worker.stop();
  expect(await run).toMatchObject({ exitCode: 0 });
});

test('maxConnectionFailures bounds the tries in a row, at start too, and ends with 69', async () => {
  const bench = new WorkerBench();
  bench.backend.nextConnects.push(down, down, down);
  const result = await bench.worker({ maxConnectionFailures: 2 }).run();
  expect(result).toMatchObject({ exitCode: 69, error: down });
  expect(bench.backend.connects).toBe(2);
  expect(bench.backend.reserveLimits).toEqual([]);
});

test('a worker that gives up on its server lets its running jobs end', async () => {
  const bench = new WorkerBench();
  let end = (): void => undefined;
  bench.handler = () => new Promise<void>((resolve) => (end = resolve));
  await bench.push('a');
  const worker = bench.worker({ concurrency: 2, maxConnectionFailures: 1 });
  const run = worker.run();
  await eventually('a to run', () => bench.begun.length === 1);
  bench.backend.serverDown = down;
  await bench.push('wakes the look');
  await eventually('the worker to give up', () => worker.stopping);
  end();
  expect(await run).toMatchObject({ exitCode: 69 });
  expect(bench.backend.applied).toEqual(['ack']);
});

test('failures that do not follow one another are not added up', async () => {
  const bench = new WorkerBench();
  bench.backend.nextConnects.push(down);
  await bench.push('a');
  const worker = bench.worker({ maxConnectionFailures: 2, maxJobs: 2 });
  bench.handler = async () => {
    bench.backend.serverDown = down;
    setTimeout(() => (bench.backend.serverDown = null), 5);
    if (bench.begun.length === 1) await bench.push('b');
  };
  expect(await worker.run()).toMatchObject({ exitCode: 0 });
  expect(bench.begun).toEqual(['a', 'b']);
});

test('an older schema ends with 64, and what is no trouble of the server with 70', async () => {
  for (const [error, exitCode] of [
    [new SchemaOutdatedException('run the migrations'), 64],
    [new QueueConfigurationException('there is no MikroORM'), 64],
    [new TypeError('a defect'), 70],
  ] as const) {
    const bench = new WorkerBench();
    bench.backend.nextConnects.push(error);
    expect(await bench.worker().run()).toMatchObject({ exitCode, error });
    const looking = new WorkerBench();
    looking.backend.serverDown = error;
    expect(await looking.worker().run()).toMatchObject({ exitCode, error });
  }
});

test('once does not wait for a lost server longer than for work', async () => {
  const bench = new WorkerBench();
  bench.backend.serverDown = down;
  const result = await bench.worker({ once: true, pollTimeoutSeconds: 0.05 }).run();
  expect(result).toMatchObject({ exitCode: 69, error: down });
});

test('an error of the backend propagates out of processNext', async () => {
  const bench = new WorkerBench();
  bench.backend.serverDown = down;
  await expect(bench.worker().processNext(1)).rejects.toBe(down);
});
