// node wake-up.test.js: a worker on PostgreSQL hears of the pushes of another process, over LISTEN.
import type { QueueBackend } from '@kinetis/nestjs-queue';
import { migrateSqlQueue, sql } from '@kinetis/nestjs-queue/sql';
import { testBackendContext } from '@kinetis/nestjs-queue/testing';
import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { newDatabase, type Orm, type TestDatabase } from './databases.js';
import { waitFor } from './eventually.js';
import { newJob } from './new-job.js';

/** The queues that a backend is told of from now on; it would find their jobs without being told, only later. */
function toldOf(backend: QueueBackend): string[] {
  const queues: string[] = [];
  const wakeUp = Reflect.get(backend, 'wakeUp') as { notify(queue: string): void };
  mock.method(wakeUp, 'notify', (queue: string) => void queues.push(queue));
  return queues;
}

void describe('a worker on PostgreSQL', () => {
  let database: TestDatabase;
  let orm: Orm;
  before(async () => {
    database = await newDatabase('postgresql');
    orm = await database.openOrm();
    await migrateSqlQueue(orm);
  });
  after(async () => {
    await orm.close(true);
    await database.drop();
  });
  const listening = async (): Promise<number[]> => {
    const rows = await orm.em
      .getConnection()
      .execute<{ pid: number }[]>(
        "select pid from pg_stat_activity where datname = current_database() and query like 'listen %'",
      );
    return rows.map(({ pid }) => pid);
  };

  for (const source of ['orm', 'connection'] as const) {
    void test(`hears of a push, and again after its connection was lost (${source})`, async () => {
      const target = source === 'orm' ? { orm } : { connection: database.connection };
      const open = async (): Promise<QueueBackend> => sql(target)(testBackendContext());
      const [pusher, worker] = [await open(), await open()];
      await worker.reserve(['mail'], 1);
      const stop = new AbortController();
      const waiting = worker.waitForWork(['mail'], { timeoutMs: 20_000, signal: stop.signal, limit: 1 });
      await waitFor('a listening connection', async () => (await listening()).length === 1);
      const told = toldOf(worker);
      await pusher.store([newJob()]);
      await waitFor('the hint', () => told.includes('mail'));

      const [lost] = await listening();
      await orm.em.getConnection().execute(`select pg_terminate_backend(${lost})`);
      await waitFor('another listening connection', async () => {
        const [found] = await listening();
        return found !== undefined && found !== lost;
      });
      told.length = 0;
      await pusher.store([newJob()]);
      await waitFor('the hint', () => told.includes('mail'));
      assert.ok((await worker.reserve(['mail'], 10)).length > 0);
      stop.abort();
      await waiting;
      await Promise.all([pusher.close(), worker.close()]);
    });
  }
});
