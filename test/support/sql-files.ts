import { MikroORM, BetterSqliteDriver } from '@mikro-orm/better-sqlite';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BackendContext, JobHeader, NewJob, QueueBackend } from '../../lib/contract/index.js';
import { newHeader } from '../../lib/contract/index.js';
import { migrateSqlQueue, sql, type SqlOptions } from '../../lib/sql.js';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';

/** The path of a database file in a folder that the test removes when it ends. */
export async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-queue-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'queue.sqlite');
}

/** An application's MikroORM over a file, closed when the test ends. */
export async function openOrm(file: string, options: object = {}): Promise<MikroORM> {
  const orm = await MikroORM.init({
    driver: BetterSqliteDriver,
    dbName: file,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    ...options,
  });
  onTestFinished(() => orm.close(true));
  await orm.em.getConnection().execute('pragma journal_mode = wal');
  return orm;
}

export function backendContext(
  providers: ReadonlyMap<unknown, unknown> = new Map(),
  warnings: string[] = [],
): BackendContext {
  return {
    connection: 'default',
    resolve<T>(token: unknown): T {
      if (!providers.has(token)) throw new Error(`no provider ${String(token)}`);
      return providers.get(token) as T;
    },
    runInline: () => Promise.reject(new Error('unused')),
    warn: (message) => void warnings.push(message),
  };
}

/** A backend on its own, closed when the test ends. */
export async function openBackend(options: SqlOptions, context = backendContext()): Promise<SqlBackend> {
  const backend: QueueBackend = await sql(options)(context);
  onTestFinished(() => backend.close());
  return backend as SqlBackend;
}

/** A migrated file, an application's MikroORM on it, and a backend that uses that MikroORM. */
export async function migrated(
  options: SqlOptions = {},
): Promise<{ file: string; orm: MikroORM; backend: SqlBackend }> {
  const file = await temporaryFile();
  const orm = await openOrm(file);
  await migrateSqlQueue(orm);
  return { file, orm, backend: await openBackend({ orm, ...options }) };
}

let counter = 0;

export interface NewJobFields {
  readonly queue?: string;
  readonly body?: string;
  readonly delaySeconds?: number;
  readonly priority?: number;
  readonly uniqueKey?: string | null;
  readonly leaseSeconds?: number | null;
  readonly header?: Partial<JobHeader>;
}

export function newJob(fields: NewJobFields = {}): NewJob {
  counter += 1;
  const header = newHeader({
    leaseSeconds: fields.leaseSeconds ?? null,
    priority: fields.priority ?? 0,
    uniqueKey: fields.uniqueKey ?? null,
  });
  return {
    id: counter.toString(16).padStart(32, '0'),
    queue: fields.queue ?? 'mail',
    header: { ...header, ...fields.header },
    body: fields.body ?? `{"n":${counter}}`,
    delaySeconds: fields.delaySeconds ?? 0,
  };
}
