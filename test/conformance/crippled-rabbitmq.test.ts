import { expect, test } from 'vitest';
import { failingCases } from '../support/conformance/failing-cases.js';
import { runConformance } from '../support/conformance/run-conformance.js';
import { rabbitmqHarness } from '../support/crippled/crippled-harness.js';
import { rabbitmqMutants } from '../support/crippled/mutants.js';

runConformance(rabbitmqHarness(), { run: 360, notApplicable: 271 });

for (const [what, { Backend, caughtBy }] of Object.entries(rabbitmqMutants)) {
  test(`the suite catches a backend that ${what}`, async () => {
    const failed = await failingCases(rabbitmqHarness(Backend), {
      only: (title) => /^(silence|lost|consume|failed|refusal|push|settlement): /.test(title),
    });
    console.log(`a backend that ${what} is caught by ${failed.length} cases, among them: ${caughtBy[0]}`);
    expect(failed).toEqual(expect.arrayContaining([...caughtBy]));
  }, 60_000);
}
