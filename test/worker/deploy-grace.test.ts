import { expect, test } from 'vitest';
import { JobReconstructionException, type NewJob } from '../../lib/contract/index.js';
import {
  JobDeferred,
  JobFailedPermanently,
  JobReleased,
  JobStarted,
  JobSucceeded,
} from '../../lib/events/index.js';
import { Job, jobDefinition } from '../../lib/jobs/index.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { LabelledJob, WorkerBench } from '../support/worker-bench.js';

const OUTCOMES = [JobStarted, JobSucceeded, JobReleased, JobFailedPermanently, JobDeferred];

/** A memory backend whose time is moved by hand. */
function benchWithClock() {
  const clock = { ms: Date.now() };
  const backend = new ScriptedBackend(90, { now: () => clock.ms });
  return { bench: new WorkerBench(backend, []), pass: (seconds: number) => (clock.ms += seconds * 1_000) };
}

test("a job that today's code does not know comes back after 30 s without spending an attempt, told as deferred", async () => {
  const { bench, pass } = benchWithClock();
  await bench.push('a');
  const worker = bench.worker({}, OUTCOMES);
  await worker.processNext(0.001);
  expect(bench.backend.settlements).toMatchObject([
    { operation: 'release', settlement: { delaySeconds: 30, changes: { graceRounds: 1 } } },
  ]);
  expect(bench.backend.settlements[0]?.settlement).not.toHaveProperty('changes.attempts');
  expect(bench.told).toEqual(['JobStarted', 'JobDeferred']);
  expect(bench.events[1]).toMatchObject({
    delaySeconds: 30,
    attempts: 1,
    error: expect.any(JobReconstructionException),
  });
  expect(bench.logged('job.not-rebuilt')).toMatchObject([{ level: 'warn', graceRounds: 1 }]);
  pass(29);
  expect(await worker.processNext(0.001)).toBe(false);
  pass(1);
  expect(await worker.processNext(0.001)).toBe(true);
  expect(bench.events.at(-1)).toMatchObject({ attempts: 1 });
});

test.each([
  [600, 20],
  [31, 2],
  [30, 1],
  [0.5, 1],
  [0, 0],
])('a grace of %d s is %i rounds, then it is the failure of the job', async (schemaGraceSeconds, rounds) => {
  const { bench, pass } = benchWithClock();
  await bench.push('a');
  const worker = bench.worker({ schemaGraceSeconds }, [JobDeferred, JobFailedPermanently]);
  while (await worker.processNext(0.001)) pass(30);
  expect(bench.told).toEqual([
    ...Array.from({ length: rounds }, () => 'JobDeferred'),
    'JobFailedPermanently',
  ]);
  expect(bench.events.at(-1)).toMatchObject({ cause: 'unknown-class', attempts: 1 });
});

test('after its grace a job has the attempts of its cap', async () => {
  const { bench, pass } = benchWithClock();
  await bench.push('a', { maxAttempts: 2 });
  const worker = bench.worker({ schemaGraceSeconds: 30 }, [JobDeferred, JobReleased, JobFailedPermanently]);
  while (await worker.processNext(0.001)) pass(30);
  expect(bench.told).toEqual(['JobDeferred', 'JobReleased', 'JobFailedPermanently']);
});

test('newer code that knows the job runs it within the grace, as its first attempt', async () => {
  const { bench, pass } = benchWithClock();
  await bench.push('a');
  const worker = bench.worker({}, OUTCOMES);
  await worker.processNext(0.001);
  bench.registry.add(jobDefinition(LabelledJob));
  pass(30);
  await worker.processNext(0.001);
  expect(bench.told).toEqual(['JobStarted', 'JobDeferred', 'JobStarted', 'JobSucceeded']);
  expect(bench.events.at(-1)).toMatchObject({ attempts: 1 });
});

@Job({ name: 'LabelledJob', args: ['label'] })
class Earlier {
  constructor(readonly label: string) {}

  handle(): void {}
}

@Job({ name: 'LabelledJob', args: ['label', 'secret', 'more'] })
class Later {
  constructor(
    readonly label: string,
    readonly secret: string,
    readonly more: string,
  ) {}

  handle(): void {}
}

test.each([
  ['an argument too many', Earlier, 'extra-argument'],
  ['an argument too few', Later, 'missing-argument'],
])('%s has a grace too', async (_, target, reason) => {
  const { bench } = benchWithClock();
  bench.registry.add(jobDefinition(target));
  await bench.push('a');
  await bench.worker({}, [JobDeferred]).processNext(0.001);
  expect(bench.events).toMatchObject([{ error: { reason } }]);
});

test('the same exception from the handler itself has no grace', async () => {
  const bench = new WorkerBench();
  bench.handler = () => {
    throw new JobReconstructionException('unknown-class', 'from within');
  };
  await bench.push('a');
  await bench.worker({}, OUTCOMES).processNext(0.001);
  expect(bench.told).toEqual(['JobStarted', 'JobFailedPermanently']);
});

/** As a broker that counts every delivery. */
class NoFreeDeferral extends ScriptedBackend {
  constructor(readonly deliveries = 0) {
    super();
  }

  override store(jobs: readonly NewJob[]) {
    return super.store(jobs.map((job) => ({ ...job, header: { ...job.header, attempts: this.deliveries } })));
  }

  override get capabilities() {
    return { ...super.capabilities, freeDeferral: false, maxReleaseDelaySeconds: 10, countsCrashes: false };
  }
}

test('where nothing is given back for free, each delivery is a round, and the delay is what the backend keeps', async () => {
  const bench = new WorkerBench(new NoFreeDeferral(), []);
  await bench.push('a');
  await bench.worker({ schemaGraceSeconds: 30 }, OUTCOMES).processNext(0.001);
  expect(bench.backend.settlements).toMatchObject([
    { operation: 'release', settlement: { delaySeconds: 10 } },
  ]);
  const counted = new WorkerBench(new NoFreeDeferral(1), []);
  await counted.push('a');
  await counted.worker({ schemaGraceSeconds: 30 }, OUTCOMES).processNext(0.001);
  expect(counted.told.at(-1)).toBe('JobFailedPermanently');
});
