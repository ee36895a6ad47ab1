import { forgetfulMemoryHarness, memoryHarness } from '../support/conformance/memory-harness.js';
import { runConformance } from '../support/conformance/run-conformance.js';

runConformance(memoryHarness, { run: 585, notApplicable: 46 });
runConformance(forgetfulMemoryHarness, { run: 554, notApplicable: 77 });
