import { expect, test } from 'vitest';
import { planConformance } from '../../lib/testing.js';
import { failingCases } from '../support/conformance/failing-cases.js';
import { memoryHarness } from '../support/conformance/memory-harness.js';
import { lackingHarness } from '../support/crippled/crippled-harness.js';
import { oneLess } from '../support/crippled/profiles.js';

for (const what of Object.keys(oneLess)) {
  test(`a backend that can do everything but ${what} passes by its capabilities alone`, async () => {
    const harness = lackingHarness(what);
    expect(await failingCases(harness, { longestCaseMs: 30_000 })).toEqual([]);
  }, 60_000);
}

test('every capability that memory has is taken away at least once, but for those that make it no backend for workers', () => {
  const taken = new Set(Object.values(oneLess).flatMap((lack) => Object.keys(lack)));
  const never = Object.keys(memoryHarness.capabilities).filter((name) => !taken.has(name));
  expect(never).toEqual(['durable', 'delivers', 'transactionalPush', 'pushDelivery']);
});

test.each(['unique', 'clear', 'extend', 'exactCounts', 'listQueues', 'failedJobs: scan'])(
  'a lack of %s brings the cases that say what holds without it',
  (what) => {
    const all = new Set(planConformance(memoryHarness).applicable.map(({ title }) => title));
    const own = planConformance(lackingHarness(what)).applicable.filter(({ title }) => !all.has(title));
    expect(own.length).toBeGreaterThan(0);
  },
);
