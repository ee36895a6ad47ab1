import { IsolationLevel } from '@mikro-orm/core';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { canBrowse, type BrowsingBackend, type QueueBackend } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { LONG } from '../support/long.js';
import { ServerLoad } from '../support/server-load.js';
import { newQueueDatabase } from '../support/server-queue.js';
import { isTested } from '../support/servers.js';
import { driverNamed, openServerOrm, type ServerDriver } from '../support/sql-servers.js';
import { newJob, openBackend } from '../support/sql-files.js';
import { isLockAwaited } from '../support/sql-lock-waits.js';

const SECONDS = LONG ? 30 : 5;
const LEASE_SECONDS = 2;

/** How many deadlocks the server has met: in that database on PostgreSQL, in all of them on MariaDB. */
async function deadlocksOf(driver: ServerDriver, database: string): Promise<() => Promise<number>> {
  const orm = await openServerOrm(driver, database);
  const ofPostgresql = 'select deadlocks as n from pg_stat_database where datname = current_database()';
  const ofMariadb = `select variable_value as n from information_schema.global_status where variable_name = 'innodb_deadlocks'`;
  const statement = driver.name === 'postgresql' ? ofPostgresql : ofMariadb;
  return async () => {
    const rows = await orm.em.getConnection().execute<{ n: unknown }[]>(statement);
    return Number(rows[0]?.n);
  };
}

function asBrowsing(backend: QueueBackend): BrowsingBackend {
  if (!canBrowse(backend)) throw new Error('Expected the sql backend to browse.');
  return backend;
}

describe.each(['postgresql', 'mariadb'] as const)(
  'three reservers, two pushers and a promoter on %s',
  (name) => {
    const driver = driverNamed(name);

    it.runIf(isTested(driver.backend))(
      `lose nothing and end each job once in ${SECONDS} s of each other's locks`,
      { timeout: (SECONDS + 60) * 1_000 },
      async () => {
        const connection = await newQueueDatabase(driver);
        const deadlocks = await deadlocksOf(driver, connection.database ?? '');
        const before = await deadlocks();
        const open = (): Promise<QueueBackend> => openBackend({ connection, leaseSeconds: LEASE_SECONDS });
        const load = new ServerLoad();
        const pushers = [load.push(await open()), load.push(await open())];
        const others = [
          load.reserve(await open()),
          load.reserve(await open()),
          load.reserve(await open()),
          load.promote(asBrowsing(await open())),
        ];
        await pause(SECONDS * 1_000);
        load.stopPushing();
        await Promise.all(pushers);
        await waitFor('the end of every job', () => load.open === 0, 40_000).finally(() => load.stop());
        await Promise.all(others);

        const met = (await deadlocks()) - before;
        console.log(`${name}: ${load.pushed} jobs, ${JSON.stringify(load.tally)}, ${met} deadlocks`);
        expect(load.errors).toEqual([]);
        expect([...load.ended].filter(([, times]) => times !== 1)).toEqual([]);
        expect(load.pushed).toBeGreaterThan(100);
        const witness = await open();
        for (const queue of ['first', 'second', 'third']) {
          expect(await witness.count(queue)).toMatchObject({ ready: 0, delayed: 0, reserved: 0 });
        }
      },
    );
  },
);

/** At MariaDB's own level an update would lock every row that it looks at. */
const ONLY_WHAT_IS_CHANGED = { isolationLevel: IsolationLevel.READ_COMMITTED };

describe.each(['postgresql', 'mariadb'] as const)('a deadlock on %s', (name) => {
  const driver = driverNamed(name);

  it.runIf(isTested(driver.backend))(
    'that ends the queue’s step is no error: the step is tried again',
    async () => {
      const connection = await newQueueDatabase(driver);
      const backend = await openBackend({ connection });
      const orm = await openServerOrm(driver, connection.database ?? '');
      const deadlocks = await deadlocksOf(driver, connection.database ?? '');
      const before = await deadlocks();
      await backend.store(Array.from({ length: 103 }, () => newJob()));
      const items = await backend.reserve(['mail'], 3);
      const [first, middle, last] = await orm.em
        .getConnection()
        .execute<{ seq: unknown }[]>('select seq from kinetis_queue_jobs where state = 2 order by seq');

      let settling: Promise<readonly { readonly status: string }[]> | undefined;
      const foreign = orm.em.transactional(async (em) => {
        const lock = (where: string, ...values: unknown[]): Promise<unknown> =>
          em
            .getConnection()
            .execute(
              `update kinetis_queue_jobs set stored_at = stored_at + 1 where ${where}`,
              values,
              'run',
              em.getTransactionContext(),
            );
        // Many changes, so that MariaDB chooses the other transaction to end.
        await lock('state = 0');
        await lock('seq = ?', middle?.seq);
        settling = backend.settle(items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] })));
        await waitFor('the queue to wait for a lock', () => isLockAwaited(orm, name));
        // Whichever of the two the queue has taken before the middle, this waits for it.
        await lock('seq = ?', first?.seq);
        await lock('seq = ?', last?.seq);
      }, ONLY_WHAT_IS_CHANGED);
      const [ended] = await Promise.allSettled([foreign]);
      expect((await settling)?.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
      await waitFor('the server to count the deadlock', async () => (await deadlocks()) > before);
      console.log(`${name}: the other transaction was ${ended.status}`);
      expect(await backend.count('mail')).toMatchObject({ ready: 100, reserved: 0 });
    },
  );
});
