import { Test, type TestingModule } from '@nestjs/testing';
import { MikroORM } from '@mikro-orm/core';
import { Queue } from '@kinetis/nestjs-queue';
import { drain, recordQueues } from '@kinetis/nestjs-queue/testing';
import { migrateSqlQueue } from '@kinetis/nestjs-queue/sql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectionTo, driverNamed, newDatabase } from '../../support/sql-servers.js';
import { isTested } from '../../support/servers.js';
import { drainOrders, type OldBoss, type OldJob } from './drain-orders.js';
import { ImportOrders, Orders } from './import-orders.job.js';

/** As much of pg-boss as the bridge uses: a fetched job is gone until it expires, a delayed one comes when it is asked for. */
class FakeBoss implements OldBoss {
  readonly completed: string[] = [];
  readonly #fetched = new Set<OldJob>();

  constructor(private readonly jobs: readonly OldJob[]) {}

  fetch(_name: string, options: Parameters<OldBoss['fetch']>[1]): Promise<readonly OldJob[]> {
    const { batchSize, ignoreStartAfter } = options;
    const isDue = ({ startAfter }: OldJob): boolean => ignoreStartAfter || startAfter.getTime() <= Date.now();
    const page = this.jobs.filter((job) => isDue(job) && !this.#fetched.has(job)).slice(0, batchSize);
    for (const job of page) this.#fetched.add(job);
    return Promise.resolve(page);
  }

  /** What was fetched and not completed comes again. */
  expire(): void {
    for (const job of this.#fetched) if (!this.completed.includes(job.id)) this.#fetched.delete(job);
  }

  complete(_name: string, id: string): Promise<void> {
    this.completed.push(id);
    return Promise.resolve();
  }
}

const oldJob = (n: number, fields: Partial<OldJob> = {}): OldJob => ({
  id: `old-${n}`,
  data: { file: `${n}.csv`, shop: 'north' },
  priority: 0,
  startAfter: new Date(),
  retryLimit: 2,
  retryCount: 0,
  ...fields,
});

/** The queue of an application without pg-boss's database. */
async function recorded() {
  const { KinetisQueueModule, memory, provideJobs } = await import('@kinetis/nestjs-queue');
  const builder = Test.createTestingModule({
    imports: [KinetisQueueModule.forRoot({ connections: { default: memory() } })],
    providers: [Orders, ...provideJobs(ImportOrders)],
  });
  const queues = recordQueues(builder);
  const app = await builder.compile();
  onTestFinished(() => app.close());
  return { app, queues, queue: app.get(Queue) };
}

test('what is left in pg-boss is pushed with what is left of its delay and attempts', async () => {
  const { app, queues, queue } = await recorded();
  const inAnHour = new Date(Date.now() + 3_600_000);
  const boss = new FakeBoss([
    ...Array.from({ length: 150 }, (_, n) => oldJob(n)),
    oldJob(150, {
      startAfter: inAnHour,
      priority: 5_000,
      retryCount: 2,
      data: { file: 'late.csv', shop: 's' },
    }),
  ]);
  expect(await drainOrders(boss, queue)).toBe(151);
  expect(boss.completed).toHaveLength(151);
  queues
    .pushed(ImportOrders, { args: { file: '0.csv' } })
    .with({ maxAttempts: 3, delaySeconds: 0, metadata: { pgBossId: 'old-0' } });
  queues.pushed(ImportOrders, { args: { file: 'late.csv' } }).with({ maxAttempts: 1, priority: 100 });
  expect(await queue.counts('orders')).toMatchObject({ ready: 150, delayed: 1 });
  await drain(app, { delayed: true });
  expect(app.get(Orders).imported).toHaveLength(151);
});

test('a job is completed in pg-boss only after it was pushed', async () => {
  const { queue } = await recorded();
  const boss = new FakeBoss([oldJob(1)]);
  vi.spyOn(queue, 'push').mockRejectedValueOnce(new Error('The server is gone.'));
  await expect(drainOrders(boss, queue)).rejects.toThrow('The server is gone.');
  expect(boss.completed).toEqual([]);
});

test('a job that pg-boss gives again, because it could not be completed, is pushed once', async () => {
  const { queues, queue } = await recorded();
  const boss = new FakeBoss([oldJob(1)]);
  vi.spyOn(boss, 'complete').mockRejectedValueOnce(new Error('The database is gone.'));
  await expect(drainOrders(boss, queue)).rejects.toThrow('The database is gone.');
  boss.expire();
  expect(await drainOrders(boss, queue)).toBe(1);
  expect(boss.completed).toEqual(['old-1']);
  queues.pushed(ImportOrders).times(1);
});

test.runIf(isTested('postgres'))('a row and its job are committed together, or neither is', async () => {
  const driver = driverNamed('postgresql');
  const connection = connectionTo(driver, await newDatabase(driver));
  await migrateSqlQueue(connection);
  const { user, password, host, port, database } = connection;
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  vi.stubEnv('DATABASE_URL', `postgresql://${user}${secret}@${host}:${port}/${database}`);
  const { AppModule } = await import('./app.module.js');
  const { Uploads } = await import('./uploads.js');
  const app: TestingModule = await Test.createTestingModule({ imports: [AppModule] }).compile();
  const orm = app.get(MikroORM, { strict: false });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await app.close();
    await orm.close(true);
  });
  const execute = (sql: string): Promise<{ n: string }[]> => orm.em.fork().getConnection().execute(sql);
  await execute('create table uploads (file text primary key, written_by bigint default txid_current())');
  await execute('alter table kinetis_queue_jobs add column written_by bigint default txid_current()');
  const uploads = app.get(Uploads);
  const queue = app.get(Queue);
  expect(await uploads.store('a.csv', 'north')).toBe(true);
  expect(await uploads.store('b.csv', 'north')).toBe(false);
  await expect(uploads.store('a.csv', 'south')).rejects.toThrow(); // the file is there already
  expect(await queue.size('orders')).toBe(1);
  expect(await execute('select count(*) as n from uploads')).toEqual([{ n: '1' }]);
  const ofOneTransaction = 'select count(*) as n from uploads join kinetis_queue_jobs using (written_by)';
  expect(await execute(ofOneTransaction)).toEqual([{ n: '1' }]);
});
