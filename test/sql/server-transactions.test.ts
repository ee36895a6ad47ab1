import { describe, expect, it, onTestFinished } from 'vitest';
import { InvalidQueueArgumentException } from '../../lib/contract/index.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import { newJob, openBackend } from '../support/sql-files.js';
import {
  newDatabase,
  openServerOrm,
  type ServerDriver,
  type ServerOrm,
  testedDrivers,
} from '../support/sql-servers.js';

interface Shop {
  readonly database: string;
  readonly orm: ServerOrm;
  readonly backend: SqlBackend;
}

/** An application with a table of its own, and a queue over its MikroORM. */
async function openShop(driver: ServerDriver): Promise<Shop> {
  const database = await newDatabase(driver);
  const orm = await openServerOrm(driver, database);
  await migrateSqlQueue(orm);
  await orm.em.getConnection().execute('create table orders (n integer primary key)');
  return { database, orm, backend: await openBackend({ orm }) };
}

function order(em: ServerOrm['em'], n: number): Promise<unknown> {
  return em
    .getConnection()
    .execute(`insert into orders values (${n})`, [], 'run', em.getTransactionContext());
}

async function ordersOf({ orm }: Shop): Promise<number[]> {
  const rows: { n: number }[] = await orm.em.getConnection().execute('select n from orders order by n');
  return rows.map(({ n }) => n);
}

const applied = { status: 'applied' } as const;

describe.each(testedDrivers())('a push in a transaction of the application, over $name', (driver) => {
  it('is there with the commit, and not before', async () => {
    const shop = await openShop(driver);
    await shop.orm.em.transactional(async (em) => {
      await order(em, 1);
      expect(await shop.backend.store([newJob()], { transaction: em })).toEqual([applied]);
      expect(await shop.backend.reserve(['mail'], 1)).toEqual([]);
    });
    expect(await shop.backend.reserve(['mail'], 2)).toHaveLength(1);
    expect(await ordersOf(shop)).toEqual([1]);
  });

  it('is gone with a rollback', async () => {
    const shop = await openShop(driver);
    const failing = shop.orm.em.transactional(async (em) => {
      await order(em, 1);
      await shop.backend.store([newJob(), newJob()], { transaction: em });
      throw new Error('the card was declined');
    });
    await expect(failing).rejects.toThrow('the card was declined');
    expect(await shop.backend.count('mail')).toMatchObject({ ready: 0, delayed: 0 });
    expect(await ordersOf(shop)).toEqual([]);
  });

  it('that is refused takes back what it stored, and the application may go on and commit', async () => {
    const shop = await openShop(driver);
    const tooLarge = newJob({ header: { serial: Number.MAX_VALUE } });
    await shop.orm.em.transactional(async (em) => {
      await order(em, 1);
      await expect(shop.backend.store([newJob(), tooLarge], { transaction: em })).rejects.toThrow();
      await order(em, 2);
      await shop.backend.store([newJob({ queue: 'later' })], { transaction: em });
    });
    expect(await ordersOf(shop)).toEqual([1, 2]);
    expect(await shop.backend.queues()).toEqual(['later']);
  });

  it('tells of a unique key that is taken', async () => {
    const shop = await openShop(driver);
    const uniqueKey = 'a'.repeat(64);
    await shop.backend.store([newJob({ uniqueKey })]);
    const outcomes = await shop.orm.em.transactional((em) =>
      shop.backend.store([newJob({ uniqueKey }), newJob(), newJob({ uniqueKey })], { transaction: em }),
    );
    expect(outcomes).toEqual([{ status: 'duplicate' }, applied, { status: 'duplicate' }]);
    expect(await shop.backend.count('mail')).toMatchObject({ ready: 2 });
  });

  it('over another MikroORM on the same database is stored, and on another database refused', async () => {
    const shop = await openShop(driver);
    const sibling = await openServerOrm(driver, shop.database);
    await sibling.em.transactional((em) => shop.backend.store([newJob()], { transaction: em }));
    expect(await shop.backend.count('mail')).toMatchObject({ ready: 1 });
    const foreign = await openServerOrm(driver, await newDatabase(driver));
    const refused = foreign.em.transactional((em) => shop.backend.store([newJob()], { transaction: em }));
    await expect(refused).rejects.toBeInstanceOf(InvalidQueueArgumentException);
    await expect(refused).rejects.toThrow(/on the queue's database, came a transaction on another database/);
  });

  it('waits for no connection but its own: the application may hold all of its pool', async () => {
    const database = await newDatabase(driver);
    const orm = await openServerOrm(driver, database, { pool: { min: 0, max: 1 } });
    await migrateSqlQueue(orm);
    const backend = await openBackend({ orm, acquireTimeoutMs: 2_000 });
    await orm.em.transactional(async (em) => {
      await backend.store([newJob()], { transaction: em });
      expect(await backend.store([newJob()])).toEqual([applied]);
      expect(await backend.reserve(['mail'], 5)).toHaveLength(1);
    });
    expect(await backend.reserve(['mail'], 5)).toHaveLength(1);
  });
});

describe.each(testedDrivers())('pushes in flight together, over $name', (driver) => {
  it('become few steps, and one that is refused does not take the others down', async () => {
    const { backend } = await openShop(driver);
    await backend.store([newJob()]);
    const sessions = countSessions(backend);
    const stores = Array.from({ length: 50 }, (_, index) =>
      backend.store([
        index === 20
          ? newJob({ header: { serial: Number.MAX_VALUE } })
          : newJob({ queue: 'many', delaySeconds: 60 }),
      ]),
    );
    const results = await Promise.allSettled(stores);
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([20]);
    // One goes at once, the other 49 together, and then each of these alone because one of them is refused.
    expect(sessions()).toBe(51);
    expect(await backend.count('many')).toMatchObject({ delayed: 49 });
  });

  it('that come together and are all well become one step', async () => {
    const { backend } = await openShop(driver);
    await backend.store([newJob()]);
    const sessions = countSessions(backend);
    await Promise.all(Array.from({ length: 50 }, () => backend.store([newJob({ delaySeconds: 60 })])));
    expect(sessions()).toBe(1);
  });

  it('keep the bodies of one step apart, whatever is in them', async () => {
    const { backend } = await openShop(driver);
    const bodies = [
      '',
      '\x1e',
      'a\x1eb',
      '\x1e{}',
      '{"quoted":"\\"\\\\,{}"}',
      'NULL',
      '🐘'.repeat(10_000),
      'base64:',
      '\0',
    ];
    await backend.store(bodies.map((body) => newJob({ body })));
    const items = await backend.reserve(['mail'], bodies.length);
    expect(items.map(({ body }) => body)).toEqual(bodies);
  });

  it('settle in one step, whatever is asked for each', async () => {
    const { backend } = await openShop(driver);
    await backend.store(Array.from({ length: 40 }, () => newJob()));
    const items = await backend.reserve(['mail'], 40);
    const sessions = countSessions(backend);
    const failure = { cause: 'fatal', error: 'Error', message: 'no 🐘', stack: null } as const;
    const outcomes = await backend.settle(
      items.map(({ receipt }, index) => {
        if (index % 4 === 0) return { operation: 'ack', receipt, followUps: [] };
        if (index % 4 === 1) return { operation: 'fail', receipt, failure };
        if (index % 4 === 2) return { operation: 'extend', receipt, seconds: 60 };
        return { operation: 'release', receipt, changes: { attempts: 1 }, delaySeconds: 60 };
      }),
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied']));
    expect(sessions()).toBe(1);
    expect(await backend.count('mail')).toMatchObject({ ready: 0, delayed: 10, reserved: 10, failed: 10 });
  });
});

/** How often the backend goes to its database from now on. */
function countSessions(backend: SqlBackend): () => number {
  const { gate } = Reflect.get(backend, 'parts') as { gate: { session: (...values: unknown[]) => unknown } };
  const { session } = gate;
  let count = 0;
  gate.session = (...values) => {
    count += 1;
    return session.apply(gate, values);
  };
  onTestFinished(() => void (gate.session = session));
  return () => count;
}
