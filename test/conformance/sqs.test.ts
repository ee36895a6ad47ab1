import { afterAll, expect, test } from 'vitest';
import { openSqsHarness } from '../support/conformance/sqs-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';
import { actionOf, documentedPolicies } from '../support/sqs-policies.js';

const { harness, gateway, close } = await openSqsHarness();
afterAll(close);

runConformance(harness, { run: 347, notApplicable: 284 });

test('all of that is allowed by the policy of a worker in docs/sqs.md, which allows nothing else', () => {
  const allowed = documentedPolicies().worker.flatMap(({ Action }) => Action);
  expect(new Set(gateway.calls.map(actionOf))).toEqual(new Set(allowed));
});
