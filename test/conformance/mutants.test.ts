import { expect, test } from 'vitest';
import { failingCases } from '../support/conformance/failing-cases.js';
import { mutants, wrappedMemory } from '../support/conformance/mutants/index.js';

const LONGEST_RUN_MS = 120_000;

test(
  'a backend that is wrapped and not broken passes the whole suite',
  async () => {
    const harness = wrappedMemory('memory, wrapped');
    expect(await failingCases(harness, { longestCaseMs: LONGEST_RUN_MS })).toEqual([]);
  },
  LONGEST_RUN_MS,
);

for (const [what, mutant] of Object.entries(mutants)) {
  test(
    `the suite catches a backend that ${what}`,
    async () => {
      const failed = await failingCases(wrappedMemory(what, mutant.break));
      console.log(
        `a backend that ${what} is caught by ${failed.length} cases, among them: ${mutant.caughtBy[0]}`,
      );
      expect(failed).toEqual(expect.arrayContaining([...mutant.caughtBy]));
    },
    LONGEST_RUN_MS,
  );
}
