import { describe, expect, it, onTestFinished } from 'vitest';
import { AcquireFailed } from '../../lib/backends/sql/executor/acquire-failed.js';
import { openPooled, type PooledDatabase } from '../../lib/backends/sql/executor/pooled/open-pooled.js';
import type { SqlSession } from '../../lib/backends/sql/executor/sql-executor.js';
import { deferred, eventually } from '../support/eventually.js';
import {
  administer,
  driverNamed,
  newDatabase,
  openServerOrm,
  type ServerDriver,
  type ServerOrm,
  testedDrivers,
} from '../support/sql-servers.js';

const patient = { acquireTimeoutMs: 20_000 };

async function open(orm: ServerOrm, poolSize = 2): Promise<PooledDatabase> {
  const database = await openPooled({ orm, own: false, poolSize, close: () => Promise.resolve() });
  if (database === null) throw new Error('Expected a pooled database, came null.');
  onTestFinished(() => database.executor.close());
  return database;
}

/** A database with a table `notes`, an application's ORM on it, and the queue's way to it. */
async function prepared(driver: ServerDriver, poolSize?: number, options: object = {}) {
  const name = await newDatabase(driver);
  const orm = await openServerOrm(driver, name, options);
  const longText = driver.name === 'postgresql' ? 'text' : 'longtext';
  await orm.em.getConnection().execute(`create table notes (id bigint primary key, body ${longText} null)`);
  const { executor, listen } = await open(orm, poolSize);
  const notes = (): Promise<unknown[]> =>
    executor.session(patient, async (session) => {
      const rows = await session.all('select id from notes order by id');
      return rows.map(({ id }) => Number(id));
    });
  return { name, orm, executor, listen, notes, insert: inserter(driver) };
}

/** Inserts a note with that number; the placeholder differs by driver. */
function inserter(driver: ServerDriver) {
  const sql =
    driver.name === 'postgresql' ? 'insert into notes (id) values ($1)' : 'insert into notes (id) values (?)';
  return (session: SqlSession, id: number): Promise<number> => session.run(sql, [id]);
}

async function idOf(session: SqlSession, driver: ServerDriver): Promise<number> {
  return Number((await session.all(driver.ownId))[0]?.['id']);
}

describe.each(testedDrivers())('the executor over the pool of $name', (driver) => {
  it('says how many rows a statement changed, and gives rows by column name', async () => {
    const { executor, insert } = await prepared(driver);
    await executor.session(patient, async (session) => {
      expect(await insert(session, 1)).toBe(1);
      expect(await insert(session, 2)).toBe(1);
      // Matched, not changed: the second statement finds the rows as they are to be.
      expect(await session.run(`update notes set body = 'a'`)).toBe(2);
      expect(await session.run(`update notes set body = 'a'`)).toBe(2);
      const rows = await session.all('select id, body from notes order by id');
      expect(rows.map((row) => ({ ...row, id: Number(row['id']) }))).toEqual([
        { id: 1, body: 'a' },
        { id: 2, body: 'a' },
      ]);
    });
  });

  it('binds text as it is: emoji, quotes, backslashes, 200 KB; and null', async () => {
    const { executor } = await prepared(driver);
    const [first, second] = driver.name === 'postgresql' ? ['$1', '$2'] : ['?', '?'];
    const texts = [`😀 ' " \\ \\' ? $1 :a %s \r\n`, 'x'.repeat(200 * 1024), '', null];
    await executor.session(patient, async (session) => {
      for (const [id, text] of texts.entries()) {
        await session.run(`insert into notes (id, body) values (${first}, ${second})`, [id, text]);
      }
      const rows = await session.all('select body from notes order by id');
      expect(rows.map(({ body }) => body)).toEqual(texts);
    });
  });

  it('binds a list', async () => {
    const { executor, insert } = await prepared(driver);
    const isIn = driver.name === 'postgresql' ? 'id = any($1::bigint[])' : 'id in (?)';
    await executor.session(patient, async (session) => {
      for (const id of [1, 2, 3]) await insert(session, id);
      expect(await session.run(`delete from notes where ${isIn}`, [[1, 3, 9]])).toBe(2);
    });
  });

  it('commits what belongs together, and takes it back when a part fails', async () => {
    const { executor, insert, notes } = await prepared(driver);
    await executor.session(patient, (session) => session.atomically(() => insert(session, 1)));
    const failed = executor.session(patient, (session) =>
      session.atomically(async () => {
        await insert(session, 2);
        await insert(session, 1);
      }),
    );
    await expect(failed).rejects.toThrow();
    expect(await notes()).toEqual([1]);
  });

  it('refuses a statement after its work has ended', async () => {
    const { executor, insert, notes } = await prepared(driver);
    const kept = await executor.session(patient, async (session) => session);
    await expect(insert(kept, 1)).rejects.toBeInstanceOf(AcquireFailed);
    expect(await notes()).toEqual([]);
  });

  it('closes when the work that is under way has ended', async () => {
    const { executor } = await prepared(driver);
    let closing: Promise<void> | undefined;
    await executor.session(patient, async (session) => {
      closing = executor.close();
      expect(await session.all('select 1 as one')).toHaveLength(1);
    });
    await closing;
  });

  it('joins a transaction of the application, and is rolled back with it', async () => {
    const { executor, orm, insert, notes } = await prepared(driver);
    const store = (id: number) =>
      orm.em.transactional(async (em) => {
        const context = em.getTransactionContext<object>() ?? {};
        const session = await executor.within({ connection: em.getConnection(), context });
        if (session === null) throw new Error('Expected a session, came null.');
        await session.atomically(() => insert(session, id));
        if (id === 2) throw new Error('rolled back');
      });
    await store(1);
    await expect(store(2)).rejects.toThrow('rolled back');
    expect(await notes()).toEqual([1]);
  });

  it('refuses a statement in a transaction that has ended', async () => {
    const { executor, orm, insert, notes } = await prepared(driver);
    const session = await orm.em.transactional((em) =>
      executor.within({ connection: em.getConnection(), context: em.getTransactionContext<object>() ?? {} }),
    );
    if (session === null) throw new Error('Expected a session, came null.');
    await expect(insert(session, 1)).rejects.toThrow('The transaction has ended.');
    expect(await notes()).toEqual([]);
  });

  it('joins a transaction of another ORM on the same database, and of no other database', async () => {
    const { executor, name } = await prepared(driver);
    const elsewhere = await newDatabase(driver);
    const joins = async (dbName: string): Promise<boolean> => {
      const orm = await openServerOrm(driver, dbName);
      return orm.em.transactional(async (em) => {
        const context = em.getTransactionContext<object>() ?? {};
        return (await executor.within({ connection: em.getConnection(), context })) !== null;
      });
    };
    expect(await joins(name)).toBe(true);
    expect(await joins(elsewhere)).toBe(false);
  });

  it('opens so many connections at most, and not those of the application', async () => {
    const { executor, orm } = await prepared(driver, 2, { pool: { min: 0, max: 1 } });
    const seen = new Set<number>();
    let running = 0;
    let most = 0;
    await orm.em.transactional(async () => {
      const both = deferred();
      const work = async (session: SqlSession): Promise<void> => {
        most = Math.max(most, ++running);
        if (running === 2) both.resolve();
        await both.promise;
        seen.add(await idOf(session, driver));
        running--;
      };
      await Promise.all(Array.from({ length: 20 }, () => executor.session(patient, work)));
    });
    expect(most).toBe(2);
    expect(seen.size).toBe(2);
  });

  it('gives a wait up in time, and runs nothing later', async () => {
    const { executor, insert, notes } = await prepared(driver, 1);
    const { promise: held, resolve: release } = deferred();
    const holding = executor.session(patient, () => held);
    const given = executor.session({ acquireTimeoutMs: 20 }, (session) => insert(session, 1));
    await expect(given).rejects.toMatchObject({ name: 'AcquireFailed', reason: 'timeout' });
    release();
    await holding;
    expect(await notes()).toEqual([]);
  });

  it('rejects the statement whose connection was ended, and goes on with another', async () => {
    const { executor, insert, notes } = await prepared(driver, 1);
    const { promise: id, resolve: tell } = deferred<number>();
    const broken = executor.session(patient, (session) =>
      session.atomically(async () => {
        await insert(session, 1);
        tell(await idOf(session, driver));
        await session.all(driver.sleep(60));
      }),
    );
    broken.catch(() => undefined);
    await administer(driver, driver.kill(await id));
    await expect(broken).rejects.toThrow();
    expect(await notes()).toEqual([]);
  });

  it('goes on after an idle connection was ended', async () => {
    const { executor, notes } = await prepared(driver, 1);
    const id = await executor.session(patient, (session) => idOf(session, driver));
    await administer(driver, driver.kill(id));
    // The end of the old one may not have come yet: then one statement meets it.
    await notes().catch(() => undefined);
    expect(await notes()).toEqual([]);
  });

  it('rejects at once when it was closed', async () => {
    const { executor } = await prepared(driver);
    await executor.session(patient, (session) => session.all('select 1'));
    await executor.close();
    const late = executor.session(patient, (session) => session.all('select 1'));
    await expect(late).rejects.toMatchObject({ name: 'AcquireFailed', reason: 'lost' });
  });
});

describe.each(testedDrivers().filter(({ name }) => name === 'postgresql'))(
  'the listener of $name',
  (driver) => {
    it('hears what is sent, and again after its connection was ended', async () => {
      const { listen, executor } = await prepared(driver);
      const heard: string[] = [];
      let listening = 0;
      const handle = listen?.({
        channel: 'kinetis "test"',
        onMessage: (payload) => void heard.push(payload),
        onListening: () => void listening++,
      });
      const notify = (payload: string): Promise<number> =>
        executor.session(patient, (session) =>
          session.run('select pg_notify($1, $2)', ['kinetis "test"', payload]),
        );
      await eventually('the listener', () => listening === 1);
      await notify('first');
      await eventually('the first message', () => heard.includes('first'));
      await executor.session(patient, (session) =>
        session.run(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`,
        ),
      );
      await eventually('the listener again', () => listening === 2, 10_000);
      await notify('second');
      await eventually('the second message', () => heard.includes('second'));
      await handle?.close();
    });
  },
);

describe('a server that refuses connections', () => {
  it.each(['postgresql', 'mariadb', 'mysql'] as const)('is told at once, through %s', async (name) => {
    const driver = driverNamed(name);
    const orm = await openServerOrm(driver, 'test', { port: 1, connect: false });
    const { executor } = await open(orm);
    const refused = executor.session({ acquireTimeoutMs: 600_000 }, (session) => session.all('select 1'));
    await expect(refused).rejects.toMatchObject({ name: 'AcquireFailed', reason: 'lost' });
    await expect(refused).rejects.toHaveProperty('cause.code', 'ECONNREFUSED');
  });
});
