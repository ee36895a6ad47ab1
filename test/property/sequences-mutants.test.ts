import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mutants, wrappedMemory } from '../support/conformance/mutants/index.js';
import { arbitrarySteps } from './sequences/arbitrary-steps.js';
import { runSteps } from './sequences/run-steps.js';

/** Where a sequence needs more than steps have: bytes that are no job, a clash within one call, fractions of a second. */
const OUT_OF_REACH = [
  'forgets the rest of a batch after a malformed item',
  'rounds delays down',
  'answers a batch stale for one entry',
  'drops follow-ups',
  'shares deliveries',
  'stores what comes before a refused entry',
  'says that none was stored where one was not',
  'stores queue by queue what it calls one step',
  'cuts at NUL',
  'rewrites bodies',
  'takes no notice of case in names',
];
const WITHIN_REACH = Object.entries(mutants).filter(([what]) => !OUT_OF_REACH.includes(what));
/** The same sequences each time: whether a mutant is caught is no matter of luck. */
const SEED = 1;
const LONGEST = 60;

function tried(
  what: string,
  wrap?: (typeof mutants)[string]['break'],
): Promise<fc.RunDetails<[readonly unknown[]]>> {
  const harness = wrappedMemory(what, wrap);
  return fc.check(
    fc.asyncProperty(arbitrarySteps(harness, LONGEST), (steps) => runSteps(harness, steps)),
    { seed: SEED, numRuns: 100, endOnFailure: true },
  ) as Promise<fc.RunDetails<[readonly unknown[]]>>;
}

it('a backend that is wrapped and not broken does what the model says', async () => {
  expect(await tried('memory, wrapped')).toMatchObject({ failed: false });
});

it('each mutant that is left out is one of the mutants, and most are not left out', () => {
  expect(Object.keys(mutants)).toEqual(expect.arrayContaining(OUT_OF_REACH));
  expect(WITHIN_REACH.length).toBeGreaterThan(OUT_OF_REACH.length);
});

for (const [what, mutant] of WITHIN_REACH) {
  it(`the model catches a backend that ${what}`, async () => {
    const { failed, errorInstance, numRuns } = await tried(what, mutant.break);
    expect(failed, `${numRuns} sequences found nothing`).toBe(true);
    expect(errorInstance).toMatchObject({ name: 'AssertionError' });
  });
}
