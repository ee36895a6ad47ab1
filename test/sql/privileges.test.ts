import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import { type Failure, ServerRefused, type Settlement } from '../../lib/contract/index.js';
import { SCHEMA_VERSION } from '../../lib/backends/sql/migrations.js';
import { waitFor } from '../support/eventually.js';
import { migrateSqlQueue, type SqlServerConnectionOptions } from '../../lib/sql.js';
import { newJob, openBackend } from '../support/sql-files.js';
import {
  administer,
  newDatabase,
  openServerOrm,
  type ServerDriver,
  type ServerOrm,
  testedDrivers,
} from '../support/sql-servers.js';

const page = readFileSync('docs/sql.md', 'utf8');
const roles = ['migrator', 'pusher', 'worker', 'operator', 'reader', 'monitor'] as const;
type Role = (typeof roles)[number];

const failure: Failure = { cause: 'fatal', error: 'TypeError', message: 'gone', stack: null };
const applied = { status: 'applied' };
const duplicate = { status: 'duplicate' };
const key = { uniqueKey: 'a'.repeat(64) };

/** The statements of docs/sql.md, as they stand there. */
function statementsOf(block: string): string[] {
  const [, text] = new RegExp(`<!-- grants: ${block} -->\\s+\`\`\`sql\\n([^]*?)\`\`\``).exec(page) ?? [];
  if (text === undefined) throw new Error(`Expected docs/sql.md to have the grants "${block}".`);
  return text
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** A database whose tables the migrator made, with every role that docs/sql.md grants. Only names differ from the page. */
async function granted(driver: ServerDriver) {
  const isPostgresql = driver.name === 'postgresql';
  const prefix = `kinetis_test_${randomBytes(4).toString('hex')}`;
  const userOf = (role: Role): string => `${prefix}_${role}`;
  onTestFinished(async () => {
    for (const role of roles) {
      await administer(driver, `drop ${isPostgresql ? 'role' : 'user'} if exists ${userOf(role)}`);
    }
  });
  const database = await newDatabase(driver);
  const named = (statement: string): string =>
    statement.replaceAll(/\bqueue_(?=[a-z]+\b)/g, `${prefix}_`).replaceAll(/\bshop\b/g, database);
  if (isPostgresql) {
    // What everybody has otherwise: a database of one's own may have taken it away.
    await administer(driver, `revoke all on database ${database} from public`);
    await administer(driver, 'revoke all on schema public from public', database);
  }
  const family = isPostgresql ? 'postgresql' : 'mysql';
  for (const statement of statementsOf(`${family} before`)) {
    await administer(driver, named(statement), database);
  }
  const connectionOf = (role: Role): SqlServerConnectionOptions => ({
    driver: driver.name,
    ...driver.address,
    database,
    user: userOf(role),
    password: 'choose-one',
  });
  const ormOf = (role: Role) =>
    openServerOrm(driver, database, { user: userOf(role), password: 'choose-one' });
  const versions = [
    await migrateSqlQueue(connectionOf('migrator')),
    await migrateSqlQueue(connectionOf('migrator')),
  ];
  const owner = isPostgresql ? await ormOf('migrator') : await openServerOrm(driver, database);
  /** `to`: another role gets what the page gives `of`. */
  const grant = async (block: string, { of, to }: { of?: Role; to?: Role } = {}): Promise<void> => {
    for (const statement of statementsOf(block)) {
      if (of === undefined) await owner.em.getConnection().execute(named(statement));
      else if (statement.endsWith(`to queue_${of}`)) {
        await owner.em.getConnection().execute(named(statement.replace(`queue_${of}`, `queue_${to}`)));
      }
    }
  };
  await grant(`${family} after`);
  const backendOf = (role: Role) => openBackend({ connection: connectionOf(role) });
  return { ormOf, backendOf, grant, versions, family };
}

async function expectRefused(what: string, doing: Promise<unknown>): Promise<void> {
  const error: unknown = await doing.then(
    () => new Error(`Expected ${what} to be refused; it was not.`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServerRefused);
  expect((error as Error).message).toMatch(
    /expected the database user to be allowed this.*Nothing was changed: docs\/sql\.md/,
  );
}

async function expectDenied(orm: ServerOrm, sql: string): Promise<void> {
  await expect(orm.em.getConnection().execute(sql)).rejects.toThrow(/denied|must be owner/);
}

async function expectPushRefused(backend: SqlBackend, job = newJob()): Promise<void> {
  const [outcome] = await backend.store([job]);
  expect(outcome?.status).toBe('refused');
  await expectRefused('push', Promise.reject(outcome?.status === 'refused' ? outcome.error : null));
}

/** The next job of the queue, as soon as its delay is over. */
function nextOf(backend: SqlBackend): Promise<unknown> {
  return waitFor('a job to reserve', async () => (await backend.reserve(['mail'], 1))[0]?.receipt ?? false);
}

/** What a worker does in its life: each settlement, and what the failed store and the queue's lists offer. */
async function workThrough(backend: SqlBackend): Promise<void> {
  const settle = async (settlement: Settlement): Promise<void> => {
    expect(await backend.settle([settlement])).toEqual([applied]);
  };
  const back = { operation: 'release', changes: { attempts: 1 } } as const;
  await backend.connect();
  const job = newJob(key);
  expect(await backend.store([job])).toEqual([applied]);
  expect(await backend.store([newJob(key)])).toEqual([duplicate]);
  const first = await nextOf(backend);
  await settle({ operation: 'extend', receipt: first, seconds: 30 });
  await settle({ ...back, receipt: first, delaySeconds: 0 });
  await settle({ ...back, receipt: await nextOf(backend), delaySeconds: 0.01 });
  await settle({ operation: 'fail', receipt: await nextOf(backend), failure });
  expect((await backend.listFailed({ limit: 10 })).jobs).toMatchObject([{ id: job.id }]);
  expect(await backend.retryFailed(job.id)).toBe('retried');
  await settle({ operation: 'ack', receipt: await nextOf(backend), followUps: [newJob()] });
  await settle({ operation: 'fail', receipt: await nextOf(backend), failure });
  expect(await backend.retryAllFailed()).toMatchObject({ retried: 1 });
  await settle({ operation: 'fail', receipt: await nextOf(backend), failure });
  expect(await backend.flushFailed()).toBe(1);

  const delayed = newJob({ delaySeconds: 1_000 });
  await backend.store([delayed, newJob()]);
  expect(await backend.promoteJob('mail', delayed.id)).toBe(true);
  expect(await backend.removeJob('mail', delayed.id)).toBe(true);
  expect(await backend.count('mail')).toMatchObject({ ready: 1, delayed: 0, reserved: 0, failed: 0 });
  expect(await backend.clear('mail')).toBe(1);
}

describe.each(testedDrivers())('the grants of docs/sql.md on $name', (driver) => {
  it('let the migrator make the tables, and look again', async () => {
    expect((await granted(driver)).versions).toEqual([SCHEMA_VERSION, SCHEMA_VERSION]);
  });

  it('let the pusher push, and neither read a body, reserve, nor settle', async () => {
    const { backendOf, ormOf } = await granted(driver);
    const backend = await backendOf('pusher');
    const orm = await ormOf('pusher');
    expect(await backend.store([newJob()])).toEqual([applied]);
    expect(await backend.store([newJob(), newJob({ delaySeconds: 5 })])).toEqual([applied, applied]);
    await orm.em.transactional(async (transaction) => {
      expect(await backend.store([newJob()], { transaction })).toEqual([applied]);
    });
    await expectRefused('reserve', backend.reserve(['mail'], 1));
    await expectRefused('count', backend.count('mail'));
    await expectRefused('clear', backend.clear('mail'));
    await expectRefused('list', backend.listJobs({ queue: 'mail', state: 'ready', limit: 1 }));
    await expectRefused('failed', backend.listFailed({ limit: 1 }));
    await expectRefused('pause', backend.pauseQueue('mail'));
    await expectRefused('connect', backend.connect());
    await expectDenied(orm, 'select body from kinetis_queue_jobs');
    await expectDenied(orm, 'delete from kinetis_queue_jobs');
    await expectDenied(orm, "update kinetis_queue_jobs set body = ''");
    expect(await (await backendOf('monitor')).count('mail')).toMatchObject({ ready: 3, delayed: 1 });
  });

  it('let the pusher use unique keys, with no more than the page says', async () => {
    const { backendOf, ormOf, grant } = await granted(driver);
    const backend = await backendOf('pusher');
    if (driver.name !== 'postgresql') {
      await expectPushRefused(backend, newJob(key));
      await grant('mysql unique');
    }
    const pusher = await backendOf('pusher');
    expect(await pusher.store([newJob(key), newJob()])).toEqual([applied, applied]);
    expect(await pusher.store([newJob(key), newJob()])).toEqual([duplicate, applied]);
    const orm = await ormOf('pusher');
    await orm.em.transactional(async (transaction) => {
      expect(await pusher.store([newJob(key), newJob()], { transaction })).toEqual([duplicate, applied]);
    });
    await expectRefused('reserve', pusher.reserve(['mail'], 1));
    await expectDenied(orm, 'select body from kinetis_queue_jobs');
    await expectDenied(orm, 'delete from kinetis_queue_jobs');
  });

  it('let an application push and count that has the grants of both', async () => {
    const { backendOf, grant, family } = await granted(driver);
    await grant(`${family} after`, { of: 'monitor', to: 'pusher' });
    const backend = await backendOf('pusher');
    await backend.store([newJob()]);
    expect(await backend.count('mail')).toMatchObject({ ready: 1 });
    await expectRefused('list', backend.listJobs({ queue: 'mail', state: 'ready', limit: 1 }));
  });

  it('let the worker do all that a worker does, and not pause', async () => {
    const { backendOf, ormOf } = await granted(driver);
    const backend = await backendOf('worker');
    await workThrough(backend);
    await expectRefused('pause', backend.pauseQueue('mail'));
    await (await backendOf('operator')).pauseQueue('mail');
    await backend.store([newJob()]);
    expect(await backend.reserve(['mail'], 1)).toEqual([]);
    await expectRefused('resume', backend.resumeQueue('mail'));
    await expectDenied(await ormOf('worker'), 'drop table kinetis_queue_jobs');
  });

  it('let the operator pause and resume beside what a worker does', async () => {
    const { backendOf } = await granted(driver);
    const backend = await backendOf('operator');
    await workThrough(backend);
    await backend.pauseQueue('mail');
    await backend.pauseQueue('mail');
    expect(await backend.count('mail')).toMatchObject({ paused: true });
    await backend.resumeQueue('mail');
    expect(await backend.count('mail')).toMatchObject({ paused: false });
  });

  it('let the reader look at everything, and change nothing', async () => {
    const { backendOf } = await granted(driver);
    const worker = await backendOf('worker');
    const jobs = [newJob(), newJob()];
    await worker.store(jobs);
    await worker.settle([{ operation: 'fail', receipt: await nextOf(worker), failure }]);
    const reader = await backendOf('reader');
    await reader.connect();
    expect(await reader.count('mail')).toMatchObject({ ready: 1, failed: 1 });
    expect(await reader.queues()).toEqual(['mail']);
    const { jobs: listed } = await reader.listJobs({ queue: 'mail', state: 'ready', limit: 5 });
    expect(listed).toMatchObject([{ id: jobs[1]?.id, body: jobs[1]?.body }]);
    for (const state of ['delayed', 'reserved'] as const) {
      expect((await reader.listJobs({ queue: 'mail', state, limit: 5 })).jobs).toEqual([]);
    }
    expect(await reader.findJob('mail', jobs[1]?.id ?? '')).toMatchObject({ body: jobs[1]?.body });
    expect((await reader.listFailed({ queue: 'mail', limit: 5 })).jobs).toMatchObject([{ id: jobs[0]?.id }]);
    expect(await reader.findFailed(jobs[0]?.id ?? '')).toMatchObject({ failure });
    await expectPushRefused(reader);
    await expectRefused('reserve', reader.reserve(['mail'], 1));
    await expectRefused('retry', reader.retryFailed(jobs[0]?.id ?? ''));
    await expectRefused('flush', reader.flushFailed());
    await expectRefused('clear', reader.clear('mail'));
    await expectRefused('remove', reader.removeJob('mail', jobs[1]?.id ?? ''));
    await expectRefused('pause', reader.pauseQueue('mail'));
  });

  it('let the monitor count, and read no argument', async () => {
    const { backendOf } = await granted(driver);
    await (await backendOf('pusher')).store([newJob(), newJob({ delaySeconds: 5 })]);
    const monitor = await backendOf('monitor');
    await monitor.connect();
    expect(await monitor.count('mail')).toMatchObject({ ready: 1, delayed: 1, failed: 0, paused: false });
    expect(await monitor.queues()).toEqual(['mail']);
    await expectRefused('list', monitor.listJobs({ queue: 'mail', state: 'ready', limit: 1 }));
    await expectRefused('failed', monitor.listFailed({ limit: 1 }));
    await expectPushRefused(monitor);
  });
});
