import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import { migrateSqlQueue } from '../../lib/sql.js';
import { waitFor } from '../support/eventually.js';
import { isTested } from '../support/servers.js';
import { newJob, openBackend } from '../support/sql-files.js';
import {
  administer,
  driverNamed,
  newDatabase,
  openServerOrm,
  type ServerOrm,
} from '../support/sql-servers.js';

const WAIT = { timeoutMs: 20_000, signal: new AbortController().signal, limit: 1 };

const driver = driverNamed('postgresql');

interface Two {
  readonly database: string;
  readonly orm: ServerOrm;
  readonly pusher: SqlBackend;
  readonly worker: SqlBackend;
}

/** Two backends on one database, as two processes would have them; the worker listens. */
async function twoBackends(options: object = {}): Promise<Two> {
  const database = await newDatabase(driver);
  const orm = await openServerOrm(driver, database);
  await migrateSqlQueue(orm);
  const [pusher, worker] = await Promise.all([openBackend({ orm }), openBackend({ orm, ...options })]);
  return { database, orm, pusher, worker };
}

function listeners(orm: ServerOrm): Promise<{ pid: number }[]> {
  return orm.em
    .getConnection()
    .execute("select pid from pg_stat_activity where datname = current_database() and query like 'listen %'");
}

async function untilListening({ orm, worker }: Two): Promise<void> {
  await worker.reserve(['mail'], 1);
  void worker.waitForWork(['mail'], WAIT).catch(() => undefined);
  await waitFor('a listening connection', async () => (await listeners(orm)).length === 1);
}

/** The queues that a backend is told of from now on. */
function toldOf(backend: SqlBackend): string[] {
  const queues: string[] = [];
  const wakeUp = Reflect.get(backend, 'wakeUp') as { notify(queue: string): void };
  vi.spyOn(wakeUp, 'notify').mockImplementation((queue) => void queues.push(queue));
  return queues;
}

describe.runIf(isTested('postgres'))('hints between processes on PostgreSQL', () => {
  it('end the wait of a worker of another process', async () => {
    const two = await twoBackends();
    await untilListening(two);
    const told = toldOf(two.worker);
    await two.pusher.store([newJob()]);
    await waitFor('the hint', () => told.includes('mail'));
    expect(await two.worker.reserve(['mail'], 10)).toHaveLength(1);
  });

  it('of a push in a transaction come with its commit', async () => {
    const two = await twoBackends();
    await untilListening(two);
    const told = toldOf(two.worker);
    await two.orm.em.transactional(async (em) => {
      await two.pusher.store([newJob()], { transaction: em });
      expect(told).toEqual([]);
    });
    await waitFor('the hint', () => told.includes('mail'));
    expect(await two.worker.reserve(['mail'], 10)).toHaveLength(1);
  });

  it('are heard again after the connection that listens was lost', async () => {
    const two = await twoBackends();
    await untilListening(two);
    const [lost] = await listeners(two.orm);
    await administer(driver, `select pg_terminate_backend(${lost?.pid})`);
    await waitFor('another listening connection', async () => {
      const [found] = await listeners(two.orm);
      return found !== undefined && found.pid !== lost?.pid;
    });
    const told = toldOf(two.worker);
    await two.pusher.store([newJob()]);
    await waitFor('the hint', () => told.includes('mail'));
  });

  it('of one queue are few, however many jobs are pushed, and none is sent for a delayed job', async () => {
    const two = await twoBackends();
    const heard: string[] = [];
    const { listen } = await listening(two);
    const handle = listen((queue) => heard.push(queue));
    onTestFinished(() => handle.close());
    await handle.ready;
    await two.pusher.store([newJob({ queue: 'later', delaySeconds: 60 })]);
    for (let count = 0; count < 100; count += 1) await two.pusher.store([newJob()]);
    await two.pusher.store([newJob({ queue: 'last' })]);
    await waitFor('the last hint', () => heard.includes('last'));
    expect(heard).not.toContain('later');
    expect(heard.filter((queue) => queue === 'mail').length).toBeLessThan(50);
    expect(heard.filter((queue) => queue === 'mail').length).toBeGreaterThan(0);
  });

  it('are neither sent nor heard with notify: false, and the pause finds the job', async () => {
    const two = await twoBackends({ notify: false });
    await two.worker.reserve(['mail'], 1);
    const waiting = two.worker.waitForWork(['mail'], WAIT);
    await two.pusher.store([newJob()]);
    await waiting;
    expect(await listeners(two.orm)).toEqual([]);
    expect(await two.worker.reserve(['mail'], 10)).toHaveLength(1);
  });
});

/** Listens beside the backends. */
async function listening({ orm }: Two) {
  const { openPooled } = await import('../../lib/backends/sql/executor/pooled/open-pooled.js');
  const pooled = await openPooled({ orm, own: false, poolSize: 1, close: () => Promise.resolve() });
  onTestFinished(() => pooled?.executor.close());
  return {
    listen(onMessage: (queue: string) => void) {
      let isReady = (): void => undefined;
      const ready = new Promise<void>((resolve) => (isReady = resolve));
      const handle = pooled?.listen?.({ channel: 'kinetis_queue_work', onMessage, onListening: isReady });
      if (handle === undefined) throw new Error('expected PostgreSQL to listen');
      return { ready, close: () => handle.close() };
    },
  };
}
