import { execFile } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { conformanceCases, type ConformanceHarness, planConformance } from '../../lib/testing.js';
import { harness as ownHarness } from './own-backend/harness.js';
import { memoryHarness } from '../support/conformance/memory-harness.js';
import { rabbitmqHarness, sqsHarness } from '../support/crippled/crippled-harness.js';
import { openSqliteHarness } from '../support/conformance/sqlite-harness.js';
import { syncHarness } from '../support/conformance/sync-harness.js';

const sqlite = await openSqliteHarness();
afterAll(sqlite.close);

/** What keeps cases that run on one backend from running on the other. */
function reasonsOnlyAt(here: ConformanceHarness, there: ConformanceHarness): string[] {
  const runsThere = new Set(planConformance(there).applicable.map(({ title }) => title));
  const reasons = planConformance(here)
    .inapplicable.filter(({ title }) => runsThere.has(title))
    .flatMap(({ unmet }) => unmet);
  return [...new Set(reasons)].toSorted();
}

test('every case has a title of its own that begins with its concern', () => {
  const titles = conformanceCases.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const title of titles) expect(title).toMatch(/^[a-z]+: \S/);
});

test('what a case needs is plain data', () => {
  for (const { needs } of conformanceCases) expect(structuredClone(needs)).toEqual(needs);
});

test('every case runs on memory, on SQLite or on a crippled store, but for what none of them can hold', () => {
  const harnesses = [memoryHarness, sqlite.harness, rabbitmqHarness(), sqsHarness(), syncHarness];
  const ran = harnesses.flatMap((harness) => planConformance(harness).applicable);
  const titles = new Set(ran.map(({ title }) => title));
  const never = conformanceCases.filter(({ title }) => !titles.has(title)).map(({ title }) => title);
  expect(never).toEqual([
    'malformed: header.serial: missing is taken out of the queue',
    'malformed: header.serial: null is taken out of the queue',
    'malformed: header.serial: missing is taken out of the queue by a reclaim',
    'malformed: header.serial: null is taken out of the queue by a reclaim',
  ]);
});

test('memory and SQLite run the same cases, but for named capabilities and what their stores can hold', () => {
  expect(reasonsOnlyAt(memoryHarness, sqlite.harness)).toEqual([
    'a store that can hold header.serial: "many"',
    'a store that can hold header.serial: -1',
    'a store that can hold header.serial: 1.5',
    'capability durable: true',
  ]);
  expect(reasonsOnlyAt(sqlite.harness, memoryHarness)).toEqual([
    'a store that can hold header.attempts: missing',
    'a store that can hold header.attempts: null',
    'a store that can hold header.deferrals: missing',
    'a store that can hold header.deferrals: null',
    'a store that can hold header.graceRounds: missing',
    'a store that can hold header.graceRounds: null',
    'a store that can hold header.priority: missing',
    'a store that can hold header.priority: null',
    'a store that can hold header.v: "1"',
    'a store that can hold header.v: missing',
    'a store that can hold header.v: null',
    'a store that can hold header: unreadable',
    'capability transactionalPush: false',
  ]);
});

test('a harness without facilities is told which cases that costs, and by what', () => {
  const bare = { ...memoryHarness, facilities: [] };
  const { inapplicable } = planConformance(bare);
  const reasons = new Set(inapplicable.flatMap(({ unmet }) => unmet));
  for (const facility of ['clock', 'storeRaw', 'second']) {
    expect([...reasons]).toContain(`harness facility ${facility}`);
  }
});

/** Runs a file under node:test; answers its report. */
function runUnderNode(...args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const loader = './test/support/typescript-loader.mjs';
    // A runner that finds this variable takes itself for the child of another.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const options = { env, maxBuffer: 64 * 1_024 * 1_024 };
    const all = ['--import', loader, '--test-reporter=tap', ...args];
    execFile(process.execPath, all, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message}\n${stderr}\n${stdout.slice(-4_000)}`));
    });
  });
}

test('the suite runs under node:test, without vitest', async () => {
  const output = await runUnderNode('test/support/conformance/node-runner.ts');
  expect(output).toContain(`# pass ${planConformance(memoryHarness).applicable.length}`);
  expect(output).toContain('# fail 0');
}, 120_000);

test('the example for authors of backends runs under node:test', async () => {
  const output = await runUnderNode(
    '--test-name-pattern=(names|push): ',
    'test/conformance/own-backend/under-node.ts',
  );
  const own = planConformance(ownHarness).applicable.filter(({ title }) => /^(names|push): /.test(title));
  expect(own.length).toBeGreaterThan(50);
  expect(output).toContain(`# pass ${own.length}`);
  expect(output).toContain('# fail 0');
}, 120_000);
