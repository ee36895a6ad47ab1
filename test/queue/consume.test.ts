import { expect, test } from 'vitest';
import { ConnectionFailed, MalformedJobSettledException, QueuedJob } from '../../lib/contract/index.js';
import { QueueConnection, type ReserveAnswer } from '../../lib/queue/index.js';
import { deferred, eventually } from '../support/eventually.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { SendingBackend } from '../support/sending-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

async function consuming(jobs: number) {
  const backend = new SendingBackend();
  const bench = new WorkerBench(backend);
  for (let index = 0; index < jobs; index += 1) await bench.push(`${index}`);
  const answers: ReserveAnswer[] = [];
  const times: number[] = [];
  const ends: Error[] = [];
  const connection: QueueConnection = bench.connection;
  const consumption = await connection.consume('default', {
    prefetch: 10,
    take: (answer, arrivedAt) => {
      answers.push(answer);
      times.push(arrivedAt);
    },
    ended: (error) => ends.push(error),
  });
  return { backend, bench, answers, times, ends, consumption };
}

const labels = (answers: readonly ReserveAnswer[]) =>
  answers.map((answer) => (answer instanceof QueuedJob ? answer.args['label'] : answer.constructor.name));

test('answers come in the order in which the server sent, also behind one that takes long to settle', async () => {
  const { backend, bench, answers, times, consumption } = await consuming(1);
  await eventually('the first job', () => answers.length === 1);
  const settled = deferred();
  backend.nextSettlements.push(settled.promise);
  await backend.send(ScriptedBackend.malformedItem());
  await bench.push('behind');
  await eventually('the job behind to be sent', () => backend.sent === 3);
  const sentBy = performance.now();
  expect(labels(answers)).toEqual(['0']);
  await eventually('some time to pass', () => performance.now() > sentBy + 5);
  settled.resolve();
  await eventually('the rest', () => answers.length === 3);
  expect(labels(answers)).toEqual(['0', MalformedJobSettledException.name, 'behind']);
  // When it came, not when it was handed on.
  expect(times[2]).toBeLessThanOrEqual(sentBy);
  await consumption.stop();
});

test('a stop resolves when all that came was handed on, and nothing is told to have ended after it', async () => {
  const { backend, answers, ends, consumption } = await consuming(0);
  const settled = deferred();
  backend.nextSettlements.push(settled.promise);
  await backend.send(ScriptedBackend.malformedItem());
  let stopped = false;
  const stopping = consumption.stop().then(() => (stopped = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([stopped, answers]).toEqual([false, []]);
  settled.resolve();
  await stopping;
  expect(labels(answers)).toEqual([MalformedJobSettledException.name]);
  backend.consumer.options.onLost(new ConnectionFailed('closed after the stop'));
  expect(ends).toEqual([]);
});

test('the end is told once, whatever ends it again', async () => {
  const { backend, ends } = await consuming(0);
  const lost = new ConnectionFailed('reset');
  backend.consumer.options.onLost(lost);
  backend.consumer.options.onLost(new ConnectionFailed('again'));
  expect(ends).toEqual([lost]);
});

test('a defect of a settlement ends it, and what came behind is handed on', async () => {
  const { backend, bench, answers, ends, consumption } = await consuming(0);
  const defect = new TypeError('a defect of the backend');
  backend.nextSettlements.push(defect);
  await backend.send(ScriptedBackend.malformedItem());
  await bench.push('behind');
  await eventually('the job behind', () => answers.length === 1);
  expect(ends).toEqual([defect]);
  expect(labels(answers)).toEqual(['behind']);
  await consumption.stop();
});

test('an error of the opening is its own, and nothing is told beside it', async () => {
  const bench = new WorkerBench(new SendingBackend());
  const refused = new ConnectionFailed('refused');
  (bench.backend as SendingBackend).nextConsumes.push(refused);
  const ends: Error[] = [];
  const options = { prefetch: 1, take: () => undefined, ended: (error: Error) => ends.push(error) };
  await expect(bench.connection.consume('default', options)).rejects.toBe(refused);
  await expect(bench.connection.consume('no name', options)).rejects.toThrow(/queue/);
  await expect(bench.connection.consume('default', { ...options, prefetch: 0 })).rejects.toThrow(/prefetch/);
  expect(ends).toEqual([]);
});
