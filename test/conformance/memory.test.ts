import { forgetfulMemoryHarness, memoryHarness } from '../support/conformance/memory-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

runConformance(memoryHarness, { run: 574, notApplicable: 16 });
runConformance(forgetfulMemoryHarness, { run: 544, notApplicable: 46 });
