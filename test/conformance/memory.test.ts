import { forgetfulMemoryHarness, memoryHarness } from '../support/conformance/memory-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

runConformance(memoryHarness, { run: 581, notApplicable: 45 });
runConformance(forgetfulMemoryHarness, { run: 550, notApplicable: 76 });
