import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, findingOf } from './finding.js';
import type { CaughtByJudge, CaughtByTests } from './mutant.js';
import type { StoreName } from './stores.js';

const VITEST = 'node_modules/vitest/vitest.mjs';

/** What a mutant keeps from ending is ended, with whatever it started: one may spin, or grow, for ever. */
const LONGEST_MS = 180_000;

/** A child leads a group of its own, so that its own children can be ended with it. */
async function endOf(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
  };
  const timer = setTimeout(endGroup, LONGEST_MS);
  process.once('exit', endGroup);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  process.off('exit', endGroup);
  endGroup();
  return { code, output };
}

/** Starts a module of a copy, and answers what it sends. */
async function sentBy(module: string, args: readonly string[], cwd: string): Promise<readonly Finding[]> {
  const child = fork(module, args, { silent: true, cwd, detached: true });
  let findings: readonly Finding[] | null = null;
  child.on('message', (message) => (findings = message as readonly Finding[]));
  const { code, output } = await endOf(child);
  if (findings !== null) return findings;
  throw new Error(
    `Expected what ${args.slice(0, 3).join(', ')} finds, came an end with ${code}:\n${output.slice(-2_000)}`,
  );
}

/** What cases of the suite find in a copy of the library; all cases that apply where none is named. */
export function askCases(
  copy: string,
  suite: StoreName,
  cases: readonly string[],
): Promise<readonly Finding[]> {
  return sentBy(join(copy, 'test/faults/mutants/run-cases.js'), [suite, ...cases], process.cwd());
}

/**
 * What the judge finds in a trial with processes of a copy of the library, which `good`, the other, runs. Without rules
 * the trial has to be clean.
 */
export async function askJudge(
  good: string,
  copy: string,
  { cell, target, seed, rules }: Omit<CaughtByJudge, 'rules'> & { readonly rules: readonly string[] },
): Promise<readonly Finding[]> {
  const module = join(good, 'test/faults/mutants/run-trial.js');
  return sentBy(module, [cell, target, String(seed), ...rules], copy);
}

interface TestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function environmentFor(backend: string | undefined): NodeJS.ProcessEnv {
  return backend === undefined ? process.env : { ...process.env, KINETIS_TEST_BACKENDS: backend };
}

/** What tests of one file find in a copy of the library. */
export async function askTests(
  copy: string,
  { file, tests, backend }: CaughtByTests,
): Promise<readonly Finding[]> {
  const report = join(copy, `report-${process.pid}-${Math.random().toString(36).slice(2)}.json`);
  const child = spawn(
    process.execPath,
    [
      VITEST,
      'run',
      `--root=${copy}`,
      '--reporter=json',
      `--outputFile=${report}`,
      `--testNamePattern=(${tests.map(escaped).join('|')})$`,
      file.replace(/\.ts$/, '.js'),
    ],
    { env: environmentFor(backend), stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const { code, output } = await endOf(child);
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`Expected a report of ${file}, came an end with ${code}:\n${output.slice(-2_000)}`);
  });
  return findingsOf(JSON.parse(text) as TestReport, file, tests);
}

const RAN = new Set(['passed', 'failed']);

function findingsOf({ testResults }: TestReport, file: string, tests: readonly string[]): Finding[] {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.map((title): Finding => {
    const found = results.filter((result) => result.title === title && RAN.has(result.status));
    if (found.length === 0) {
      const why = testResults.map(({ message }) => message).join('\n');
      throw new Error(`${file}: expected a test with this title, came none: ${title}\n${why}`);
    }
    const failed = found.find(({ status }) => status === 'failed');
    if (failed === undefined) return { title, verdict: 'passes', message: '' };
    return findingOf(title, failed.failureMessages[0] ?? '');
  });
}
