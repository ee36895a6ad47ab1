// node application.test.js <driver>: an application with a worker inside, over its own MikroORM.
import 'reflect-metadata';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { KinetisQueueModule, provideJobs, Queue } from '@kinetis/nestjs-queue';
import { kinetisQueueMigrations, migrateSqlQueue, sql, type SqlOptions } from '@kinetis/nestjs-queue/sql';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newDatabase, type Orm, type TestDatabase } from './databases.js';
import { waitFor } from './eventually.js';
import { Greet, Greeter } from './greeting.job.js';

const [driver = ''] = process.argv.slice(2);
const AT = new Date('2026-01-02T03:04:05.678Z');
const greeting = (name: string): string => `${name} ${AT.toISOString()} attempt 1`;

class CreateUsers extends Migration {
  override up(): void {
    this.addSql('create table users (id integer primary key);');
  }
}

async function startApplication(options: SqlOptions): Promise<INestApplicationContext> {
  const root = {
    module: class AppModule {},
    imports: [KinetisQueueModule.forRoot({ connections: { default: sql(options) }, worker: {} })],
    providers: [Greeter, ...provideJobs(Greet)],
  };
  return NestFactory.createApplicationContext(root, { logger: ['error', 'warn'] });
}

async function greeted(app: INestApplicationContext, name: string): Promise<void> {
  await waitFor(`the job of ${name} to run`, () => app.get(Greeter).greeted.includes(greeting(name)));
}

void describe(`an application on ${driver}`, () => {
  let database: TestDatabase;
  let orm: Orm;
  before(async () => {
    database = await newDatabase(driver);
    const own = [{ name: 'CreateUsers', class: CreateUsers }];
    const queue = kinetisQueueMigrations(database.dialect, Migration);
    const migrations = { migrationsList: [...own, ...queue] };
    orm = await database.openOrm({ extensions: [Migrator], migrations, logger: () => undefined });
  });
  after(async () => {
    await orm.close(true);
    await database.drop();
  });
  const users = async (): Promise<number> => {
    const rows = await orm.em.getConnection().execute<{ id: number }[]>('select id from users');
    return rows.length;
  };

  void test("MikroORM's migrator makes the tables, beside those of the application", async () => {
    await orm.migrator.up();
    assert.deepEqual(await orm.migrator.getPending(), []);
    assert.equal(await migrateSqlQueue(orm), 1);
    assert.equal(await users(), 0);
  });

  void test('runs a job of its own MikroORM, and leaves that open', async () => {
    const app = await startApplication({ orm });
    await app.get(Queue).push(new Greet('Ada', AT));
    await greeted(app, 'Ada');
    await app.close();
    assert.equal(await users(), 0);
  });

  void test("runs a job over a connection of the queue's own", async () => {
    const app = await startApplication({ connection: database.connection });
    await app.get(Queue).push(new Greet('Bea', AT));
    await greeted(app, 'Bea');
    await app.close();
  });

  for (const source of ['orm', 'connection'] as const) {
    void test(`a push joins a transaction: it comes with the commit, and goes with the rollback (${source})`, async () => {
      const app = await startApplication(source === 'orm' ? { orm } : { connection: database.connection });
      await pushInTransactions(app, orm);
      const greetedOnly = [greeting('Cleo'), greeting('Last')];
      assert.deepEqual(app.get(Greeter).greeted, greetedOnly);
      assert.equal(await users(), 1);
      await orm.em.getConnection().execute('delete from users');
      await app.close();
    });
  }

  if (driver !== 'sqlite') {
    void test("goes on while transactions hold every connection of the application's pool", async () => {
      const narrow = await database.openOrm({ pool: { min: 0, max: 1 } });
      const app = await startApplication({ orm: narrow });
      await narrow.em.transactional(async (em) => {
        await em.execute('select 1');
        await app.get(Queue).push(new Greet('Dora', AT));
        await greeted(app, 'Dora');
      });
      await app.close();
      await narrow.close(true);
    });
  }
});

/** One push in a transaction that is rolled back, one in a transaction that is committed, and one after both. */
async function pushInTransactions(app: INestApplicationContext, orm: Orm): Promise<void> {
  const queue = app.get(Queue);
  const insert = 'insert into users (id) values (1)';
  const rolledBack = orm.em.transactional(async (em) => {
    await em.execute(insert);
    await queue.push(new Greet('Never', AT), { transaction: em });
    throw new Error('taken back');
  });
  await assert.rejects(rolledBack, /taken back/);
  await orm.em.transactional(async (em) => {
    await em.execute(insert);
    await queue.push(new Greet('Cleo', AT), { transaction: em });
  });
  await greeted(app, 'Cleo');
  await queue.push(new Greet('Last', AT));
  await greeted(app, 'Last');
}
