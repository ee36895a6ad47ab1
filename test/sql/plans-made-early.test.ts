import { describe, expect, it } from 'vitest';
import type { SqlGate } from '../../lib/backends/sql/sql-gate.js';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import type { Settlement } from '../../lib/contract/index.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import { waitFor } from '../support/eventually.js';
import { isTested } from '../support/servers.js';
import { newJob, openBackend } from '../support/sql-files.js';
import { driverNamed, newDatabase, openServerOrm } from '../support/sql-servers.js';

/** Executions behind which PostgreSQL keeps a plan for good, or until the table's statistics change. */
const UNTIL_KEPT = 12;
const BACKLOG = 20_000;
const FAILURE = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;

/** Every way to end a delivery, and the acks that a reserve carries out by the way. */
async function everyStatement(backend: SqlBackend): Promise<void> {
  await backend.store(Array.from({ length: 6 }, (_, n) => newJob({ delaySeconds: n === 5 ? 3_600 : 0 })));
  const [acked, byTheWay, ...rest] = (await backend.reserve(['mail'], 5)).map(({ receipt }) => receipt);
  const [released, failed, extended] = rest;
  const ways: Settlement[] = [
    { operation: 'release', receipt: released, changes: {}, delaySeconds: 3_600 },
    { operation: 'fail', receipt: failed, failure: FAILURE },
    { operation: 'extend', receipt: extended, seconds: 60 },
    { operation: 'ack', receipt: acked, followUps: [] },
  ];
  for (const settlement of ways) {
    expect(await backend.settle([settlement])).toEqual([{ status: 'applied' }]);
  }
  const settled = backend.settle([{ operation: 'ack', receipt: byTheWay, followUps: [] }]);
  await backend.reserve(['mail'], 1);
  expect(await settled).toEqual([{ status: 'applied' }]);
}

/** Rows that the server read one behind the other, from the start of a table to its end, for the one session of a backend. */
async function rowsWalked(backend: SqlBackend): Promise<number> {
  const { gate } = Reflect.get(backend, 'parts') as { readonly gate: SqlGate };
  // A session adds to the server's statistics when it has a moment, or is told to.
  await gate.session((session) => session.all('select pg_stat_force_next_flush()'));
  const [row] = await gate.session((session) =>
    session.all(
      "select sum(seq_tup_read) as walked from pg_stat_user_tables where relname like 'kinetis_queue%'",
    ),
  );
  return Number(row?.['walked']);
}

describe.runIf(isTested('postgres'))('a worker that began on empty tables of PostgreSQL', () => {
  it('soon reads no table from end to end when there is a backlog of which the server has no statistics yet', async () => {
    const driver = driverNamed('postgresql');
    const database = await newDatabase(driver);
    const orm = await openServerOrm(driver, database);
    await migrateSqlQueue(orm);
    await orm.em.getConnection().execute('alter table kinetis_queue_jobs set (autovacuum_enabled = off)');
    const backend = await openBackend({ orm, poolSize: 1 });
    for (let times = 0; times < UNTIL_KEPT; times += 1) await everyStatement(backend);

    await backend.store(Array.from({ length: BACKLOG }, () => newJob()));
    const walkedBy = async (work: () => Promise<void>): Promise<number> => {
      const before = await rowsWalked(backend);
      await work();
      return (await rowsWalked(backend)) - before;
    };
    await waitFor('new plans', async () => (await walkedBy(() => everyStatement(backend))) < BACKLOG / 10);
    expect(await walkedBy(() => everyStatement(backend))).toBeLessThan(BACKLOG / 10);
  });
});
