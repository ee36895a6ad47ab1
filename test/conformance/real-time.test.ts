import { expect, test } from 'vitest';
import { planConformance } from '../../lib/testing.js';
import { failingCases } from '../support/conformance/failing-cases.js';
import { realTimeMemoryHarness } from '../support/conformance/memory-harness.js';

/** The concerns that time decides. */
const timed = /^(delays|attempts|leases|stale|pop|counts|clear|pause|priority): /;

test('a backend whose time nobody can move passes too: the suite waits for short leases to end', async () => {
  const { applicable } = planConformance(realTimeMemoryHarness);
  expect(applicable.filter(({ title }) => timed.test(title)).length).toBeGreaterThan(120);
  const failed = await failingCases(realTimeMemoryHarness, {
    only: (title) => timed.test(title),
    longestCaseMs: 60_000,
  });
  expect(failed).toEqual([]);
}, 120_000);
