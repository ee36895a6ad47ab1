import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MYSQL_STATEMENTS } from '../../lib/backends/sql/mysql-statements.generated.js';
import { POSTGRESQL_STATEMENTS } from '../../lib/backends/sql/postgresql-statements.generated.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import { waitFor } from '../support/eventually.js';
import { newJob, openBackend } from '../support/sql-files.js';
import {
  administer,
  newDatabase,
  openServerOrm,
  type ServerDriver,
  type ServerOrm,
  testedDrivers,
} from '../support/sql-servers.js';

/** Around the hour that Berlin skips, and the one that it has twice: 02:30 on that night is two of these. */
const instants = [
  '2026-03-29T00:59:59.999Z',
  '2026-03-29T01:00:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T00:59:59.999Z',
  '2026-10-25T01:00:00.000Z',
  '2026-10-25T01:30:00.000Z',
].map((text) => Date.parse(text));

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The only clock that the statements have. */
const clocks = {
  postgresql: '(extract(epoch from statement_timestamp()) * 1000)::bigint',
  mysql: "(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)",
};
const otherClocks =
  /\b(now|clock_timestamp|transaction_timestamp|timeofday|sysdate|curdate|curtime|unix_timestamp|from_unixtime)\s*\(|\b(current_timestamp|current_time|current_date|localtime|localtimestamp)\b|at time zone/i;

const families = [
  { name: 'postgresql', statements: POSTGRESQL_STATEMENTS, clock: clocks.postgresql },
  { name: 'mysql', statements: MYSQL_STATEMENTS, clock: clocks.mysql },
];

describe.each(families)('the statements of $name', ({ statements, clock }) => {
  it('know one clock, which has no zone', () => {
    const texts = Object.values(statements).map(({ sql }) => sql);
    expect(texts.filter((sql) => sql.includes(clock)).length).toBeGreaterThan(10);
    expect(texts.filter((sql) => otherClocks.test(sql.replaceAll(clock, '')))).toEqual([]);
    expect(texts.filter((sql) => /timestamp/i.test(sql.replaceAll(clock, '')))).toEqual([]);
  });
});

async function numberOf(orm: ServerOrm, sql: string, context?: object): Promise<number> {
  const rows: { n: unknown }[] = await orm.em.getConnection().execute(sql, [], 'all', context as never);
  return Number(rows[0]?.n);
}

const named = (name: ServerDriver['backend']) => testedDrivers().filter(({ backend }) => backend === name);

describe.each(named('postgres'))('the clock of $name', (driver) => {
  it.each(['UTC', 'Europe/Berlin', 'America/St_Johns'])('is the same in %s', async (zone) => {
    const orm = await openServerOrm(driver, 'postgres', { pool: { min: 1, max: 1 } });
    await orm.em.getConnection().execute(`set timezone to '${zone}'`);
    for (const instant of instants) {
      const then = `timestamptz '${new Date(instant).toISOString()}'`;
      const sql = `select ${clocks.postgresql.replace('statement_timestamp()', then)} as n`;
      expect(await numberOf(orm, sql)).toBe(instant);
    }
  });
});

describe.each(named('mariadb'))('the clock of $name', (driver) => {
  // Berlin is one of the last two; a server has names of zones only where somebody loaded them.
  it.each(['SYSTEM', '+00:00', '+01:00', '+02:00'])(
    'gives jobs the same times in a session whose zone is %s',
    async (zone) => {
      const database = await newDatabase(driver);
      const orm = await openServerOrm(driver, database, { pool: { min: 1, max: 1 } });
      await migrateSqlQueue(orm);
      const backend = await openBackend({ orm });
      for (const instant of instants) {
        await orm.em.transactional(async (transaction) => {
          const context = transaction.getTransactionContext();
          const execute = (sql: string) => transaction.getConnection().execute(sql, [], 'run', context);
          await execute(`set time_zone = '${zone}', timestamp = ${instant / 1_000}`);
          await backend.store([newJob({ delaySeconds: 3_600 })], { transaction });
          await execute('set timestamp = default');
          const of = (column: string) =>
            numberOf(orm, `select max(${column}) as n from kinetis_queue_jobs`, context);
          expect(await of('stored_at')).toBe(instant);
          expect(await of('due_at')).toBe(instant + 3_600_000);
          await execute('delete from kinetis_queue_jobs');
        });
      }
    },
  );
});

/** A database and connections of the queue that are in Berlin, as far as the server lets a session be. */
async function inBerlin(driver: ServerDriver, leaseSeconds = 90) {
  const database = await newDatabase(driver);
  if (driver.name === 'postgresql') {
    await administer(driver, `alter database ${database} set timezone to 'Europe/Berlin'`);
  }
  const options =
    driver.name === 'mariadb'
      ? { driverOptions: { connection: { initSql: `set time_zone = '+02:00'` } } }
      : {};
  const orm = await openServerOrm(driver, database, options);
  await migrateSqlQueue(orm);
  const clock = `select ${driver.name === 'postgresql' ? clocks.postgresql : clocks.mysql} as n`;
  return { orm, now: () => numberOf(orm, clock), backend: await openBackend({ orm, leaseSeconds }) };
}

describe.each(testedDrivers())('$name and a worker in Berlin', (driver) => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'Europe/Berlin');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('let delays and leases last as long as they were to, over changes of the clocks too', async () => {
    expect(new Date('2026-07-01T12:00:00Z').getHours()).toBe(14);
    const { backend, now } = await inBerlin(driver);
    // Within the hour that a slip would make of it, and over spring and autumn.
    const days = [0.01, 100, 200, 300];
    const before = await now();
    await backend.store([
      ...days.map((delay) => newJob({ delaySeconds: delay * 86_400 })),
      newJob({ queue: 'held', leaseSeconds: 200 * 86_400 }),
    ]);
    await backend.reserve(['held'], 1);
    const after = await now();
    const { jobs } = await backend.listJobs({ queue: 'mail', state: 'delayed', limit: 10 });
    const [held] = (await backend.listJobs({ queue: 'held', state: 'reserved', limit: 10 })).jobs;
    const due = [...jobs, held].map((job) => Number(job?.dueAt));
    for (const [index, day] of [...days, 200].entries()) {
      expect(due[index]).toBeGreaterThanOrEqual(before + day * DAY_MS);
      expect(due[index]).toBeLessThanOrEqual(after + day * DAY_MS);
    }
    expect(await backend.reserve(['mail'], 10)).toEqual([]);
  });

  it('bring back what is due, and not an hour later', async () => {
    const { backend, now } = await inBerlin(driver, 2);
    const before = await now();
    await backend.store([newJob({ delaySeconds: 0.01 })]);
    const next = () => waitFor('the job', async () => (await backend.reserve(['mail'], 1))[0] ?? false);
    expect((await next()).header?.attempts).toBe(0);
    // Its lease ends without a settlement.
    const again = await next();
    expect(again.header?.attempts).toBe(1);
    const failure = { cause: 'fatal', error: 'Error', message: '', stack: null } as const;
    expect(await backend.settle([{ operation: 'fail', receipt: again.receipt, failure }])).toEqual([
      { status: 'applied' },
    ]);
    const [failed] = (await backend.listFailed({ limit: 1 })).jobs;
    expect(Number(failed?.failedAt)).toBeGreaterThanOrEqual(before);
    expect(Number(failed?.failedAt)).toBeLessThanOrEqual(await now());
  });
});
