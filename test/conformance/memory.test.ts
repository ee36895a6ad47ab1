import { forgetfulMemoryHarness, memoryHarness } from '../support/conformance/memory-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

runConformance(memoryHarness, { run: 584, notApplicable: 45 });
runConformance(forgetfulMemoryHarness, { run: 553, notApplicable: 76 });
