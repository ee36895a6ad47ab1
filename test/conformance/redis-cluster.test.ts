import { afterAll } from 'vitest';
import { openRedisClusterHarness } from '../support/conformance/redis-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

const { harness, close } = await openRedisClusterHarness();
afterAll(close);

runConformance(harness, { run: 598, notApplicable: 28 });
