import { afterAll } from 'vitest';
import { runConformance } from '../support/conformance/run-conformance.js';
import { openSqlServerHarness } from '../support/conformance/sql-server-harness.js';
import { driverNamed } from '../support/sql-servers.js';

const { harness, close } = await openSqlServerHarness(driverNamed('mariadb'), {
  driver: 'mariadb',
  host: '127.0.0.1',
  user: 'root',
});
afterAll(close);

runConformance(harness, { run: 545, notApplicable: 81 });
