import { describe, expect, test } from 'vitest';
import {
  JobFailedPermanently,
  JobReleased,
  JobSettlementLost,
  JobSettlementUnknown,
  JobStarted,
  JobSucceeded,
} from '../../lib/events/index.js';
import { JobRegistry } from '../../lib/jobs/index.js';
import type { ScriptedAnswer } from '../support/scripted-backend.js';
import { WorkerBench } from '../support/worker-bench.js';

const EVENTS = [
  JobStarted,
  JobSucceeded,
  JobReleased,
  JobFailedPermanently,
  JobSettlementLost,
  JobSettlementUnknown,
];

interface Outcome {
  readonly outcome: string;
  readonly throws: boolean;
  readonly maxAttempts: number;
  readonly answer: ScriptedAnswer;
  readonly settlement: string;
  readonly event: string;
}

const OUTCOMES: readonly Outcome[] = [
  made('success', false, 0, 'applied', 'ack', 'JobSucceeded'),
  made('release', true, 2, 'applied', 'release', 'JobReleased'),
  made('fail', true, 0, 'applied', 'fail', 'JobFailedPermanently'),
  made('stale ack', false, 0, 'stale', 'ack', 'JobSettlementLost'),
  made('stale release', true, 2, 'stale', 'release', 'JobSettlementLost'),
  made('stale fail', true, 0, 'stale', 'fail', 'JobSettlementLost'),
  made('unknown ack', false, 0, 'unknown', 'ack', 'JobSettlementUnknown'),
  made('unknown fail', true, 0, 'unknown', 'fail', 'JobSettlementUnknown'),
];

const broken = (): never => {
  throw new Error('an observer broke');
};

/** Each breaks one observer of the bench. */
const OBSERVERS: Readonly<Record<string, (bench: WorkerBench) => void>> = {
  'a listener that throws': (bench) => void (bench.listener = broken),
  'a listener that rejects': (bench) => void (bench.listener = () => Promise.reject(new Error('late'))),
  'a logger that throws': (bench) =>
    void (bench.logger = { log: broken, warn: broken, error: broken, debug: broken }),
  'a logger that rejects': (bench) => {
    const rejecting = (): Promise<never> => Promise.reject(new Error('late'));
    bench.logger = { log: rejecting, warn: rejecting, error: rejecting };
  },
  'a telemetry that cannot start': (bench) => void (bench.telemetry = { startJob: broken }),
  'a span that cannot run': (bench) =>
    void (bench.telemetry = { startJob: () => ({ run: broken, end: () => undefined }) }),
  'a span that throws after it ran': (bench) =>
    void (bench.telemetry = {
      startJob: () => ({
        run: (work) => {
          work();
          return broken();
        },
        end: () => undefined,
      }),
    }),
  'a span that cannot end': (bench) =>
    void (bench.telemetry = { startJob: () => ({ run: (work) => work(), end: broken }) }),
  'a span whose end rejects': (bench) =>
    void (bench.telemetry = {
      startJob: () => ({ run: (work) => work(), end: () => Promise.reject(new Error('late')) as never }),
    }),
  'a telemetry that starts no span': (bench) =>
    void (bench.telemetry = { startJob: () => undefined as never }),
  'a redaction that throws': (bench) => breakRedaction(bench.registry),
  'a disposal that throws': (bench) => void (bench.hooks.dispose = broken),
  'a disposal that rejects': (bench) => void (bench.hooks.dispose = () => Promise.reject(new Error('late'))),
  'all of them at once': (bench) => {
    bench.listener = broken;
    bench.logger = { log: broken, warn: broken, error: broken };
    bench.telemetry = { startJob: () => ({ run: broken, end: broken }) };
    bench.hooks.dispose = broken;
    breakRedaction(bench.registry);
  },
};

describe.each(OUTCOMES)('$outcome', ({ throws, maxAttempts, answer, settlement, event }) => {
  test.each(Object.keys(OBSERVERS))('stands with %s, settled once, and the worker goes on', async (name) => {
    const bench = new WorkerBench();
    OBSERVERS[name]?.(bench);
    bench.handler = (_delivery, { label }) => {
      if (label === 'first' && throws) throw new Error('no');
    };
    await bench.push('first', { maxAttempts });
    bench.backend.nextSettlements.push(answer);
    const worker = bench.worker({ maxJobs: 2 }, EVENTS);
    expect(await worker.processNext(1)).toBe(true);
    expect(bench.backend.settlements).toMatchObject([{ operation: settlement, answer }]);
    expect(bench.begun).toEqual(['first']);
    expect(bench.told).toEqual(['JobStarted', event]);
    expect(bench.disposed).toBe(1);

    await bench.push('second', { priority: 1 });
    expect(await worker.processNext(1)).toBe(true);
    expect(bench.begun).toEqual(['first', 'second']);
    expect(bench.backend.settlements).toHaveLength(2);
  });
});

test('a failing observer is reported by the logger, and named', async () => {
  const bench = new WorkerBench();
  bench.listener = broken;
  bench.telemetry = { startJob: () => ({ run: (work) => work(), end: broken }) };
  await bench.push('a');
  await bench.worker({}, [JobSucceeded]).processNext(1);
  expect(bench.logged('worker.observer-failed')).toMatchObject([
    { level: 'warn', observer: 'telemetry span.end', job: 'LabelledJob' },
    { level: 'warn', observer: 'Audit.on', error: 'Error: an observer broke' },
  ]);
});

test('a failing redaction shows every argument as redacted, without a report of its own', async () => {
  const bench = new WorkerBench();
  breakRedaction(bench.registry);
  bench.handler = broken;
  await bench.push('a');
  await bench.worker({}, [JobFailedPermanently]).processNext(1);
  const args = { label: '[redacted]', secret: '[redacted]' };
  expect(bench.logged('job.failed')).toMatchObject([{ args }]);
  expect(bench.events).toMatchObject([{ args }]);
  expect(bench.logged('worker.observer-failed')).toEqual([]);
});

test('a disposal failure is logged with class, queue and attempt', async () => {
  const bench = new WorkerBench();
  bench.hooks.dispose = broken;
  await bench.push('a');
  await bench.worker().processNext(1);
  expect(bench.logged('job.disposal-failed')).toMatchObject([
    { level: 'error', job: 'LabelledJob', queue: 'default', attempts: 1 },
  ]);
});

/** Rebuilding a job reads its argument plans too, so that only the second look, that of the redaction, throws. */
function breakRedaction(registry: JobRegistry): void {
  const find = registry.find.bind(registry);
  registry.find = (name) => {
    const definition = find(name);
    if (definition === null) return null;
    return Object.create(definition, {
      args: {
        get() {
          return definition.args.map((plan) => Object.create(plan, { sensitive: { get: broken } }));
        },
      },
    });
  };
}

function made(
  outcome: string,
  throws: boolean,
  maxAttempts: number,
  answer: ScriptedAnswer,
  settlement: string,
  event: string,
): Outcome {
  return { outcome, throws, maxAttempts, answer, settlement, event };
}
