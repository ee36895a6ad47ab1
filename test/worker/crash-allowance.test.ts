import { expect, test } from 'vitest';
import { MaxAttemptsExceededException } from '../../lib/contract/index.js';
import { JobFailedPermanently, JobReleased, JobStarted, JobSucceeded } from '../../lib/events/index.js';
import { Attempted } from '../support/attempted-backend.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobStarted, JobSucceeded, JobReleased, JobFailedPermanently];

/** Cap, allowance, completed attempts, and whether the job still runs. */
test.each([
  [0, 3, 3, true],
  [0, 3, 4, false],
  [1, 3, 3, true],
  [1, 3, 4, false],
  [5, 3, 7, true],
  [5, 3, 8, false],
  [2, 0, 1, true],
  [2, 0, 2, false],
  [0, Infinity, 1_000, true],
])(
  'with a cap of %i and an allowance of %d a job that ended %i workers runs again: %s',
  async (maxAttempts, crashAllowance, attempts, runs) => {
    const bench = new WorkerBench(new Attempted(attempts));
    await bench.push('a', { maxAttempts });
    await bench.worker({ crashAllowance }, OUTCOMES).processNext(1);
    expect(bench.begun).toEqual(runs ? ['a'] : []);
    expect(bench.backend.applied).toEqual([runs ? 'ack' : 'fail']);
    expect(bench.told).toEqual(runs ? ['JobStarted', 'JobSucceeded'] : ['JobFailedPermanently']);
  },
);

test('a job beyond the allowance fails with its own cause, in event, log and failed store, and its scope is disposed', async () => {
  const bench = new WorkerBench(new Attempted(4));
  await bench.push('a');
  await bench.worker({}, OUTCOMES).processNext(1);
  expect(bench.events).toMatchObject([
    {
      cause: 'crash-limit',
      attempts: 5,
      error: expect.any(MaxAttemptsExceededException),
      args: { label: 'a', secret: '[redacted]' },
    },
  ]);
  expect(bench.logged('job.failed')).toMatchObject([{ cause: 'crash-limit' }]);
  expect(bench.backend.settlements[0]?.settlement).toMatchObject({
    failure: { cause: 'crash-limit', error: 'MaxAttemptsExceededException' },
  });
  expect([bench.opened, bench.disposed]).toEqual([1, 1]);
});

test('where crashes are not counted, no number of attempts keeps a job from running', async () => {
  const bench = new WorkerBench(new Attempted(99, false));
  await bench.push('a');
  await bench.worker().processNext(1);
  expect(bench.begun).toEqual(['a']);
});

test('a job whose leases ran out in worker after worker is given up on', async () => {
  const clock = { ms: 0 };
  const bench = new WorkerBench(new ScriptedBackend(90, { now: () => clock.ms }));
  await bench.push('a');
  for (let crash = 0; crash < 4; crash += 1) {
    await bench.backend.reserve(['default'], 1);
    clock.ms += 90_000;
  }
  await bench.worker({}, OUTCOMES).processNext(1);
  expect(bench.events).toMatchObject([{ cause: 'crash-limit', attempts: 5 }]);
});
