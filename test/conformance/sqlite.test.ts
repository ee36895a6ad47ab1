import { afterAll } from 'vitest';
import { runConformance } from '../support/conformance/run-conformance.js';
import { openSqliteHarness } from '../support/conformance/sqlite-harness.js';

const { harness, close } = await openSqliteHarness();
afterAll(close);

runConformance(harness, { run: 565, notApplicable: 66 });
