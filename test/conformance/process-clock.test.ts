import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ConformanceHarness, planConformance } from '../../lib/testing.js';
import { openRedisHarness } from '../support/conformance/redis-harness.js';
import { openSqlServerHarness } from '../support/conformance/sql-server-harness.js';
import { isTested } from '../support/servers.js';
import { driverNamed } from '../support/sql-servers.js';

/** Backends whose server keeps the time; on the others it is the process's own machine that does. */
const servers: readonly {
  readonly name: string;
  open(): Promise<{ readonly harness: ConformanceHarness; close(): Promise<void> }>;
}[] = [
  { name: 'postgres', open: () => openSqlServerHarness(driverNamed('postgresql')) },
  { name: 'mariadb', open: () => openSqlServerHarness(driverNamed('mariadb')) },
  { name: 'redis', open: openRedisHarness },
];

const titles = [
  'delays: a delayed job comes when its delay is over, and not before',
  'delays: a released job waits for its delay',
  'leases: a lease lasts to its last second',
  'leases: an extension lengthens a lease, counted from now',
  'attempts: a reclaimed lease adds 1 to attempts and 0 to deferrals',
  'counts: the age of the oldest ready job grows with time',
  'browse: a delayed job that is promoted is ready now',
];

const HOUR_MS = 3_600_000;

afterEach(() => {
  vi.useRealTimers();
});

describe.each(servers.filter(({ name }) => isTested(name)))('the time of $name', ({ open }) => {
  test.each([
    ['an hour ahead', HOUR_MS],
    ['an hour behind', -HOUR_MS],
  ])('is the same for a process whose clock is %s', async (_what, skewMs) => {
    const { harness, close } = await open();
    try {
      const cases = planConformance(harness).applicable.filter(({ title }) => titles.includes(title));
      expect(cases.map(({ title }) => title).toSorted()).toEqual(titles.toSorted());
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewMs, shouldAdvanceTime: true });
      for (const { run } of cases) await run(harness);
    } finally {
      vi.useRealTimers();
      await close();
    }
  });
});
