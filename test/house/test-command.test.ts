import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
// @ts-expect-error the scripts are plain JavaScript
import { countResults, lastLine } from '../../scripts/count-results.mjs';
// @ts-expect-error the scripts are plain JavaScript
import { findBackends, testBackends } from '../../scripts/test-backends.mjs';

const file = (status: string, ...results: string[]) => ({
  status,
  assertionResults: results.map((result) => ({ status: result })),
});

const report = (testResults: object[], passed: number, failed: number, pending = 0) => ({
  testResults,
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: 0,
});

test('a run in which everything passed ends with 0 and names no skips', () => {
  const count = countResults(report([file('passed', 'passed', 'passed')], 2, 0), 0);
  expect(lastLine(count, false)).toEqual({ line: '2 passed, 0 failed', exitCode: 0 });
});

test('a failed test fails the run', () => {
  const count = countResults(report([file('failed', 'passed', 'failed')], 1, 1), 1);
  expect(lastLine(count, false)).toEqual({ line: '1 passed, 1 failed', exitCode: 1 });
});

test('a file that cannot be loaded fails the run although no test of it failed', () => {
  const count = countResults(report([file('passed', 'passed'), file('failed')], 1, 0), 1);
  expect(lastLine(count, false)).toEqual({ line: '1 passed, 1 failed', exitCode: 1 });
});

test('an error outside of every test fails the run', () => {
  const count = countResults(report([file('passed', 'passed')], 1, 0), 1);
  expect(lastLine(count, false)).toEqual({ line: '1 passed, 1 failed', exitCode: 1 });
});

test('a run without a test fails', () => {
  const count = countResults(report([], 0, 0), 1);
  expect(lastLine(count, false)).toEqual({ line: '0 passed, 0 failed', exitCode: 1 });
});

test('skips are named, and fail the run where everything is required', () => {
  const count = countResults(report([file('passed', 'passed', 'pending')], 1, 0, 1), 0);
  expect(lastLine(count, false)).toEqual({ line: '1 passed, 0 failed, 1 skipped', exitCode: 0 });
  expect(lastLine(count, true)).toEqual({ line: '1 passed, 1 failed', exitCode: 1 });
});

test('a backend is tested when its server answers, and otherwise named with what was looked for', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const backends = [
    { name: 'memory', server: null },
    { name: 'there', server: { variable: 'THERE_URL', port } },
    { name: 'elsewhere', server: { variable: 'ELSEWHERE_URL', port: 1 } },
    { name: 'gone', server: { variable: 'GONE_URL', port: 1 } },
  ];
  const found = await findBackends(backends, { ELSEWHERE_URL: `redis://127.0.0.1:${port}/0` });
  server.close();
  expect(found.present).toEqual(['memory', 'there', 'elsewhere']);
  expect(found.absent).toEqual([
    { name: 'gone', missing: 'nothing answers at 127.0.0.1:1; start its server or set GONE_URL' },
  ]);
});

test('each backend that the command knows has a file of the suite that is named after it', () => {
  const names = (testBackends as readonly { readonly name: string }[]).map(({ name }) => name);
  const without = names.filter(
    (name) => !existsSync(new URL(`../conformance/${name}.test.ts`, import.meta.url)),
  );
  expect(without).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['rabbitmq', 'rabbitmq-quorum']));
});
