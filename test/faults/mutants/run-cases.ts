// A process of its own, started from a copy of the library: runs cases of the suite and sends what they found.
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConformanceCase, type ConformanceHarness, planConformance } from '../../../lib/testing.js';
import { type Finding, findingOf } from './finding.js';
import { openHarness } from './harness-named.js';
import type { StoreName } from './stores.js';

/** A case that a mutant keeps waiting has found that something does not come. */
const LONGEST_CASE_MS = 30_000;

async function find({ title, run }: ConformanceCase, harness: ConformanceHarness): Promise<Finding> {
  const running = run(harness).then(
    (): Finding => ({ title, verdict: 'passes', message: '' }),
    (error: unknown) => findingOf(title, String(error)),
  );
  const late = sleep(LONGEST_CASE_MS, null, { ref: false }).then(() =>
    findingOf(title, `did not end within ${LONGEST_CASE_MS / 1_000} s`),
  );
  return Promise.race([running, late]);
}

function casesOf(harness: ConformanceHarness, titles: readonly string[]): readonly ConformanceCase[] {
  const { applicable } = planConformance(harness);
  if (titles.length === 0) return applicable;
  return titles.map((title) => {
    const found = applicable.find((candidate) => candidate.title === title);
    if (found !== undefined) return found;
    throw new Error(`Expected a case of the suite that applies to ${harness.name}, came "${title}".`);
  });
}

const [store, ...titles] = process.argv.slice(2);
const { harness, close } = await openHarness(store as StoreName);
const findings: Finding[] = [];
try {
  for (const each of casesOf(harness, titles)) findings.push(await find(each, harness));
} finally {
  await Promise.race([close(), sleep(5_000, undefined, { ref: false })]);
}
process.send?.(findings, () => process.exit());
