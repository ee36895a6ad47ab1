import { afterAll } from 'vitest';
import { runConformance } from '../support/conformance/run-conformance.js';
import { openSqlServerHarness } from '../support/conformance/sql-server-harness.js';
import { driverNamed } from '../support/sql-servers.js';

const { harness, close } = await openSqlServerHarness(driverNamed('postgresql'));
afterAll(close);

runConformance(harness, { run: 549, notApplicable: 82 });
