import { afterAll } from 'vitest';
import {
  openRedisClusterHarness,
  openWiredRedisClusterHarness,
} from '../support/conformance/redis-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

const plain = await openRedisClusterHarness();
const wired = await openWiredRedisClusterHarness();
afterAll(plain.close);
afterAll(wired.close);

runConformance(plain.harness, { run: 592, notApplicable: 39 });
runConformance(wired.harness, { run: 602, notApplicable: 29 });
