import { afterAll } from 'vitest';
import { openRedisHarness } from '../support/conformance/redis-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

const { harness, close } = await openRedisHarness();
afterAll(close);

runConformance(harness, { run: 602, notApplicable: 29 });
