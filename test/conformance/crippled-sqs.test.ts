import { expect, test } from 'vitest';
import { failingCases } from '../support/conformance/failing-cases.js';
import { runConformance } from '../support/conformance/run-conformance.js';
import { sqsHarness } from '../support/crippled/crippled-harness.js';
import { sqsMutants } from '../support/crippled/mutants.js';

runConformance(sqsHarness(), { run: 348, notApplicable: 283 });

for (const [what, { Backend, caughtBy }] of Object.entries(sqsMutants)) {
  test(`the suite catches a backend that ${what}`, async () => {
    const failed = await failingCases(sqsHarness(Backend), {
      only: (title) => /^(silence|lost|consume|failed|refusal|push|settlement): /.test(title),
    });
    console.log(`a backend that ${what} is caught by ${failed.length} cases, among them: ${caughtBy[0]}`);
    expect(failed).toEqual(expect.arrayContaining([...caughtBy]));
  }, 60_000);
}
