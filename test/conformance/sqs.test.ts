import { afterAll } from 'vitest';
import { openSqsHarness } from '../support/conformance/sqs-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

const { harness, close } = await openSqsHarness();
afterAll(close);

runConformance(harness, { run: 347, notApplicable: 282 });
