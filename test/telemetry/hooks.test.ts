import { expect, test } from 'vitest';
import { memory, type QueueTelemetry } from '../../lib/index.js';
import { queuesOver, StoringBackend } from '../support/fake-backend.js';
import { WorkerBench, LabelledJob } from '../support/worker-bench.js';
import { startApplication } from './support/start-application.js';

const broken = (): never => {
  throw new Error('an observer broke');
};

test('a telemetry without startPushMany has a span for each job, which ends with its own error', async () => {
  const ended: unknown[] = [];
  const backend = new StoringBackend();
  backend.answer = (_job, index) =>
    index === 0 ? { status: 'applied' } : { status: 'refused', error: new RangeError('full') };
  const telemetry: QueueTelemetry = {
    startPush: ({ id }) => ({
      carrier: { span: id },
      end: (error, outcomes) => ended.push([error, outcomes?.map(({ status }) => status)]),
    }),
  };
  const queue = queuesOver({ default: backend }, { telemetry }).default;
  await expect(queue.pushMany([new LabelledJob('a'), new LabelledJob('b')])).rejects.toThrow();
  expect(ended).toEqual([
    [undefined, ['applied']],
    [expect.any(RangeError), ['refused']],
  ]);
  expect(backend.stored.map(({ id, body }) => body.includes(`"span":"${id}"`))).toEqual([true, true]);
});

test.each([
  ['cannot run', broken],
  [
    'throws after it ran',
    (work: () => unknown) => {
      work();
      return broken();
    },
  ],
  ['runs twice', (work: () => unknown) => [work(), work()]],
  ['never runs', () => undefined],
  ['rejects', (work: () => unknown) => Promise.resolve(work()).then(broken)],
])('a push is stored once with a span that %s', async (_what, run) => {
  const backend = new StoringBackend();
  const telemetry = { startPush: () => ({ run: run as never, end: () => undefined }) };
  const queue = queuesOver({ default: backend }, { telemetry }).default;
  expect(await queue.push(new LabelledJob('a'))).toEqual(expect.any(String));
  expect(backend.stored).toHaveLength(1);
});

test('a push of many stands with a telemetry that breaks, or has nothing to say, and that is reported', async () => {
  const hooks = [
    { startPushMany: broken, reports: 1 },
    { startPushMany: () => ({ end: broken }), reports: 1 },
    { startPushMany: () => undefined as never, reports: 0 },
  ];
  for (const { startPushMany, reports } of hooks) {
    const warned: string[] = [];
    const reporter = { warn: (message: string) => void warned.push(message), error: () => undefined };
    const telemetry = { startPushMany };
    const queue = queuesOver({ default: new StoringBackend() }, { telemetry, reporter }).default;
    expect(await queue.pushMany([new LabelledJob('a')])).toHaveLength(1);
    expect(warned).toHaveLength(reports);
  }
});

test('a worker runs with a telemetry that cannot follow it, or stop to', async () => {
  for (const startWorker of [broken, () => broken, () => 'nothing' as never]) {
    const bench = new WorkerBench();
    bench.telemetry = { startWorker };
    await bench.push('a');
    expect(await bench.worker({ maxJobs: 1 }).run()).toMatchObject({ exitCode: 0 });
    expect(bench.begun).toEqual(['a']);
  }
});

test('an application boots and closes with a telemetry that cannot observe its connections', async () => {
  for (const openConnection of [broken, () => broken, () => 'nothing' as never]) {
    const app = await startApplication(memory(), { telemetry: { openConnection } }, []);
    await app.close();
  }
});
