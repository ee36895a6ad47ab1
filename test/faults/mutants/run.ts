// Runs the mutants; scripts/test-mutants.mjs starts it. Prints a table, and leaves the counts in a file.
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { testedBackends } from '../../support/servers.js';
import { askCases } from './ask.js';
import {
  allCatchers,
  ask,
  askOfGood,
  backendOf,
  catchersOf,
  controlsOf,
  isBySuite,
  nameOf,
} from './catchers.js';
import { inParallel } from './in-parallel.js';
import { sourceMutants } from './index.js';
import { breakCopy, compileGoodCopy } from './library-copy.js';
import type { CaughtBy, SourceMutant } from './mutant.js';
import { type MutantVerdict, verdictOn } from './verdict.js';

/** They wait for servers more than they work. */
const AT_ONCE = 3;

const project = process.cwd();
/** Two runs at a time have their own. */
const folder = join(project, 'build/mutants', String(process.pid));
const good = join(folder, 'good');

type Named = readonly [what: string, mutant: SourceMutant];

/** Makes a copy of the library with a mutant's changes, for as long as `work` takes. */
async function withCopy<T>([what, { patches }]: Named, work: (copy: string) => Promise<T>): Promise<T> {
  const copy = join(folder, what.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
  try {
    await breakCopy(project, good, copy, patches);
    return await work(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What catches mutants has to pass on the library as it is. */
async function checkGood(caughtBy: CaughtBy): Promise<MutantVerdict> {
  const checked = { mutant: `none, for ${nameOf(caughtBy)}`, where: 'nowhere' };
  try {
    const findings = await askOfGood(good, caughtBy);
    const bad = findings.filter(({ verdict }) => verdict !== 'passes');
    if (bad.length === 0) return { ...checked, caught: true, by: `nobody: ${findings.length} pass` };
    const by = bad.map(({ title, message }) => `${title} (${message})`).join('; ');
    return { ...checked, caught: false, by };
  } catch (error) {
    return { ...checked, caught: false, by: said(error) };
  }
}

async function tryMutant(named: Named): Promise<MutantVerdict> {
  const [what, mutant] = named;
  const where = [...new Set(mutant.patches.map(({ file }) => file.replace(/^lib\//, '')))].join(', ');
  const catchers = catchersOf(mutant);
  try {
    return await withCopy(named, async (copy) => {
      const findings = await Promise.all(catchers.map((caughtBy) => ask(good, copy, caughtBy)));
      return verdictOn(what, where, findings.flat(), catchers.flatMap(controlsOf));
    });
  } catch (error) {
    return { mutant: what, where, caught: false, by: said(error) };
  }
}

/** Runs the whole suite on mutants that it may catch, and says which cases do: for whoever writes one. */
async function showCatchers(mutants: readonly Named[]): Promise<void> {
  for (const named of mutants) {
    const [what, { caughtBy }] = named;
    if (!isBySuite(caughtBy)) continue;
    const findings = await withCopy(named, (copy) => askCases(copy, caughtBy.suite, []));
    console.log(`${what}:`);
    for (const { title, verdict, message } of findings) {
      if (verdict !== 'passes') console.log(`  ${verdict}: ${title} (${message})`);
    }
  }
}

async function told(verdict: Promise<MutantVerdict>): Promise<MutantVerdict> {
  const { mutant, where, caught, by } = await verdict;
  console.log(`${caught ? 'caught  ' : 'SURVIVED'} | ${mutant} | ${where} | ${by}`);
  return verdict;
}

// What was started is ended with this process, whatever ends it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    'whole-suite': { type: 'boolean', default: false },
    counts: { type: 'string' },
  },
});
const only = new RegExp(values.only);
const chosen = Object.entries(sourceMutants).filter(([what]) => only.test(what));
const testable = chosen.filter(([, mutant]) =>
  catchersOf(mutant).every((caughtBy) => testedBackends().includes(backendOf(caughtBy) ?? 'memory')),
);

async function runMutants(): Promise<void> {
  const catchers = allCatchers(testable.map(([, mutant]) => mutant));
  const verdicts = [
    ...(await inParallel(catchers, AT_ONCE, (caughtBy) => told(checkGood(caughtBy)))),
    ...(await inParallel(testable, AT_ONCE, (named) => told(tryMutant(named)))),
  ];
  const passed = verdicts.filter(({ caught }) => caught).length;
  const counts = { passed, failed: verdicts.length - passed, skipped: chosen.length - testable.length };
  if (values.counts !== undefined) await writeFile(values.counts, JSON.stringify(counts));
}

if (values.list) {
  for (const [what] of chosen) console.log(what);
} else {
  const files = testable.flatMap(([, { caughtBy }]) => ('file' in caughtBy ? [dirname(caughtBy.file)] : []));
  try {
    await compileGoodCopy(project, good, files);
    if (values['whole-suite']) await showCatchers(testable);
    else await runMutants();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
