import { setTimeout as sleep } from 'node:timers/promises';
import { type ConformanceCase, type ConformanceHarness, planConformance } from '../../../lib/testing.js';

/** A case that a broken backend keeps waiting has failed too. */
const LONGEST_CASE_MS = 2_000;
const AT_ONCE = 24;

async function fails(conformanceCase: ConformanceCase, harness: ConformanceHarness): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(LONGEST_CASE_MS, true, { ref: false, signal: timer.signal }).catch(() => false);
  const run = conformanceCase.run(harness).then(
    () => false,
    () => true,
  );
  try {
    return await Promise.race([run, late]);
  } finally {
    timer.abort();
  }
}

/** Runs the suite, several cases at once, and names those that fail. Each case must get a store of its own. */
export async function failingCases(harness: ConformanceHarness): Promise<string[]> {
  const { applicable } = planConformance(harness);
  const left = [...applicable];
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (await fails(next, harness)) failed.push(next.title);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}
