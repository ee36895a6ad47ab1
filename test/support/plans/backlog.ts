import { randomBytes } from 'node:crypto';
import { migrateSqlQueue } from '../../../lib/sql.js';
import { administer, driverNamed, type ServerDriver, type ServerOrm } from '../sql-servers.js';

/** Waiting jobs in the table. */
export const BACKLOG = 200_000;

/** Rows that one statement may read at most: more than any batch, and far less than one of the five queues holds. */
export const MOST_ROWS = 10_000;

/** A database with a large backlog, on one connection. */
export interface Backlog {
  all(sql: string): Promise<readonly unknown[]>;
  /** Runs work in a transaction that is rolled back. */
  undone<T>(work: () => Promise<T>): Promise<T>;
  /** Drops the database. */
  close(): Promise<void>;
}

/**
 * The numbers 1 to 200,000 as rows of five queues, `seq` the number itself: half of them delayed, a thousand of these
 * due, two thousand reserved with the token `t<seq>`, five hundred of these expired, the rest ready. And failed jobs.
 */
const FILL = {
  postgresql: {
    numbers: (count: number) => `generate_series(1, ${count}) as numbers (seq)`,
    now: '(extract(epoch from statement_timestamp()) * 1000)::bigint',
    text: (prefix: string) => `'${prefix}' || numbers.seq`,
    queue: `'q' || numbers.seq % 5`,
    // The server takes statistics by itself some time after a table was filled: here they are a part of the test.
    first: ['alter table kinetis_queue_jobs set (autovacuum_enabled = off)'],
    last: ['kinetis_queue_jobs', 'kinetis_queue_failed_jobs'].map(
      (table) => `alter table ${table} alter column seq restart with ${BACKLOG + 1}`,
    ),
    overriding: 'overriding system value',
    rank: 'rank',
  },
  mariadb: {
    numbers: (count: number) => `seq_1_to_${count} as numbers`,
    now: `(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)`,
    text: (prefix: string) => `concat('${prefix}', numbers.seq)`,
    queue: `concat('q', numbers.seq % 5)`,
    first: [
      'set session transaction isolation level read committed',
      'alter table kinetis_queue_jobs stats_auto_recalc = 0',
      'alter table kinetis_queue_failed_jobs stats_auto_recalc = 0',
    ],
    last: [],
    overriding: '',
    rank: '`rank`',
  },
};

function fillOf(name: keyof typeof FILL): string[] {
  const { numbers, now, text, queue, first, last, overriding, rank } = FILL[name];
  const hour = 3_600_000;
  return [
    ...first,
    `insert into kinetis_queue_jobs (
      seq, id, queue, state, due_at, ${rank}, token, v, serial, attempts, deferrals, grace_rounds, priority, unique_key,
      stored_at, body
    ) ${overriding}
    select
      numbers.seq, ${text('id')}, ${queue},
      case when numbers.seq % 100 = 0 then 2 else numbers.seq % 2 end,
      ${now} + case
        when numbers.seq % 400 = 0 or numbers.seq % 200 = 1 then -${hour}
        when numbers.seq % 100 = 0 or numbers.seq % 2 = 1 then ${hour} + numbers.seq
        else -${hour}
      end,
      numbers.seq % 3, case when numbers.seq % 100 = 0 then ${text('t')} end, 1, 0, 0, 0, 0, numbers.seq % 3,
      case when numbers.seq % 10 = 3 then ${text('key')} end, ${now}, '{}'
    from ${numbers(BACKLOG)}`,
    `insert into kinetis_queue_failed_jobs (
      seq, id, queue, v, serial, attempts, deferrals, grace_rounds, priority, body, cause, error, message, failed_at
    ) ${overriding}
    select
      numbers.seq, ${text('failed')}, ${queue}, 1, 0, 0, 0, 0, 0, '{}', 'error', 'Error', '',
      ${now} - ${20 * hour} + numbers.seq
    from ${numbers(BACKLOG / 5)}`,
    ...last,
  ];
}

/** Makes a database whose tables hold the backlog and have no statistics. */
export async function openBacklog(name: keyof typeof FILL): Promise<Backlog> {
  const driver = driverNamed(name);
  const dbName = `kinetis_test_plans_${randomBytes(6).toString('hex')}`;
  await administer(driver, `create database ${dbName}`);
  const orm = await driver.open({ dbName, pool: { min: 1, max: 1 } });
  const connection = orm.em.getConnection();
  await migrateSqlQueue(orm);
  for (const statement of fillOf(name)) await connection.execute(statement);
  const all = (sql: string): Promise<unknown[]> => connection.execute(sql);
  return {
    all,
    async undone(work) {
      await all('begin');
      try {
        return await work();
      } finally {
        await all('rollback');
      }
    },
    close: () => drop(driver, orm, dbName),
  };
}

async function drop(driver: ServerDriver, orm: ServerOrm, dbName: string): Promise<void> {
  await orm.close(true);
  await administer(driver, `drop database ${dbName}`);
}
