import { setTimeout as sleep } from 'node:timers/promises';
import { type ConformanceCase, type ConformanceHarness, planConformance } from '../../../lib/testing.js';

export interface RunOptions {
  /** Which cases; all that apply without it. */
  readonly only?: (title: string) => boolean;
  /** A case that a broken backend keeps waiting has failed too, after this long. */
  readonly longestCaseMs?: number;
}

const AT_ONCE = 24;

async function fails(
  conformanceCase: ConformanceCase,
  harness: ConformanceHarness,
  longestCaseMs: number,
): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(longestCaseMs, true, { ref: false, signal: timer.signal }).catch(() => false);
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

/** Runs cases, several at once, and names those that fail. Each case must get a store of its own. */
export async function failingCases(
  harness: ConformanceHarness,
  { only = () => true, longestCaseMs = 2_000 }: RunOptions = {},
): Promise<string[]> {
  const left = planConformance(harness).applicable.filter(({ title }) => only(title));
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      if (await fails(next, harness, longestCaseMs)) failed.push(next.title);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}
