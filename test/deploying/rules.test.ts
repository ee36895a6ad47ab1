import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { beforeAll, expect, test } from 'vitest';
import {
  FailJobException,
  OutcomeUnknown,
  ServerRefused,
  type StoreOutcome,
} from '../../lib/contract/index.js';
import { openTelemetry } from '../../lib/opentelemetry.js';
import { queuesOver, StoringBackend } from '../support/fake-backend.js';
import { ScriptedBackend } from '../support/scripted-backend.js';
import { LabelledJob, WorkerBench } from '../support/worker-bench.js';
import { onPath } from './on-path.js';
import { at, parseYaml } from './parse-yaml.js';
import { type Series, seriesOf } from './prometheus-series.js';
import { groupedBy, selectorsIn } from './prom-ql.js';

const file = 'docs/deploying/kinetis-queue.rules.yml';
const unitTests = 'test/deploying/kinetis-queue.rules.test.yml';
const promtool = onPath('promtool');

interface Rule {
  readonly alert: string;
  readonly expr: string;
}

let rules: readonly Rule[];
let series: readonly Series[];

/** Every metric that lib/telemetry records, from pushes and deliveries of each outcome. */
async function measure(): Promise<readonly Series[]> {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const telemetry = openTelemetry({ meterProvider, measureQueues: { default: ['default'] } });
  await deliver(new WorkerBench(new ScriptedBackend(), [LabelledJob], telemetry));
  const answers: readonly StoreOutcome[] = [
    { status: 'duplicate' },
    { status: 'refused', error: new ServerRefused('full') },
    { status: 'unknown', error: new OutcomeUnknown('no answer') },
  ];
  for (const answer of answers) {
    const backend = new StoringBackend();
    backend.answer = () => answer;
    const { default: queue } = queuesOver({ default: backend }, { telemetry });
    await queue.push(new LabelledJob('a'), { uniqueKey: 'a' }).catch(() => undefined);
  }
  const counts = { ready: 1, delayed: 0, reserved: 0, failed: 0, oldestReadySeconds: 9, paused: false };
  telemetry.openConnection?.({ name: 'default', driver: 'memory', counts: async () => counts });
  await reader.forceFlush();
  const metrics = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics));
  await meterProvider.shutdown();
  return metrics.map(seriesOf);
}

/** Deliveries that succeed, are tried again, are given up on, whose settlements are lost and without an answer, and no job. */
async function deliver(bench: WorkerBench): Promise<void> {
  const worker = bench.worker({ maxAttempts: 2 });
  for (const settlement of ['applied', 'stale', 'unknown'] as const) {
    if (settlement !== 'applied') bench.backend.nextSettlements.push(settlement);
    await bench.push('a');
    await worker.processNext(1);
  }
  bench.handler = ({ attempts }) => {
    throw attempts === 1 ? new Error('again') : new FailJobException('enough');
  };
  await bench.push('b');
  await worker.processNext(1);
  await worker.processNext(1);
  bench.backend.extraItems.push(ScriptedBackend.malformedItem());
  await worker.processNext(1);
}

beforeAll(async () => {
  rules = at(await parseYaml(readFileSync(file, 'utf8')), 'groups.0.rules') as unknown as readonly Rule[];
  series = await measure();
});

const seriesNamed = (name: RegExp): readonly Series[] =>
  series.filter(({ names }) => names.some((each) => name.test(each)));

test('each alert asks for metrics that are recorded, under the name of each kind of exporter', () => {
  expect(rules.length).toBeGreaterThan(5);
  for (const { alert, expr } of rules) {
    const selectors = selectorsIn(expr);
    expect(selectors).not.toHaveLength(0);
    for (const { name } of selectors) {
      const found = seriesNamed(name);
      expect({ alert, name, found: found.length }).toEqual({ alert, name, found: 1 });
      // A counter has one name, a gauge in seconds has two.
      const missed = found[0]?.names.filter((each) => !name.test(each));
      expect({ alert, missed }).toEqual({ alert, missed: [] });
    }
  }
});

test('each alert asks for labels that those metrics have, and for values that they take', () => {
  for (const { alert, expr } of rules) {
    for (const { name, matchers } of selectorsIn(expr)) {
      const labels = seriesNamed(name)[0]?.labels ?? new Map<string, ReadonlySet<string>>();
      const missing = groupedBy(expr).filter((label) => !labels.has(label));
      const never = [...matchers].flatMap(([label, values]) =>
        values.filter((value) => labels.get(label)?.has(value) !== true).map((value) => `${label}=${value}`),
      );
      expect({ alert, missing, never }).toEqual({ alert, missing: [], never: [] });
    }
  }
});

test('each alert has unit tests of promtool', () => {
  const tested = [...readFileSync(unitTests, 'utf8').matchAll(/alertname: (\w+)/g)].map(([, name]) => name);
  expect([...new Set(tested)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

test.skipIf(promtool === null).each([
  ['check', file],
  ['test', unitTests],
])('promtool %s rules %s', (command, path) => {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', [command, 'rules', path], {
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toContain('SUCCESS');
  expect(status).toBe(0);
});
