import type { QueueBackend } from '@kinetis/nestjs-queue';
import { migrateSqlQueue, sql, type SqlOptions } from '@kinetis/nestjs-queue/sql';
import {
  type ConformanceHarness,
  malformedKinds,
  type RawItem,
  testBackendContext,
} from '@kinetis/nestjs-queue/testing';
import { randomBytes } from 'node:crypto';
import { newDatabase, type Orm, type TestDatabase } from './databases.js';

/** Whose connections the backend uses: those of an application's MikroORM, or a pool that it opens by itself. */
export type Source = 'orm' | 'connection';

/** The columns of a stored header. */
const COLUMNS = {
  rank: 'rank',
  v: 'v',
  serial: 'serial',
  attempts: 'attempts',
  deferrals: 'deferrals',
  grace_rounds: 'graceRounds',
  priority: 'priority',
  lease_seconds: 'leaseSeconds',
  unique_key: 'uniqueKey',
} as const;

/** What typed columns cannot hold. Those of SQLite take any value that is there, those of servers whole numbers only. */
function isRefusedBy(dialect: string, kind: string): boolean {
  if (kind === 'header: unreadable') return true;
  if (dialect === 'sqlite') return kind === 'header.v: "1"' || /^header\..*: (missing|null)$/.test(kind);
  const [, field, value] = /^header\.(\w+): (.*)$/.exec(kind) ?? [];
  if (field === undefined || field === 'uniqueKey' || value === undefined) return false;
  return !/^-?\d+$/.test(value) || !Number.isSafeInteger(Number(value));
}

/** How a body that is no text stands in a column of text. */
function storedBody(body: string | Uint8Array): string {
  const bytes = Buffer.from(body as string);
  const text = bytes.toString('utf8');
  const isPlain = Buffer.from(text).equals(bytes) && !text.includes('\0') && !text.startsWith('base64:');
  return isPlain ? text : `base64:${bytes.toString('base64')}`;
}

/** Stores what no push would, through the application's MikroORM. */
async function insertRaw(orm: Orm, { queue, header, body }: RawItem): Promise<void> {
  const now = Date.now();
  const row = {
    id: randomBytes(16).toString('hex'),
    queue,
    state: 0,
    due_at: now,
    stored_at: now,
    body: storedBody(body),
    ...Object.fromEntries(
      Object.entries(COLUMNS).map(([column, field]) => [column, header?.[field] ?? null]),
    ),
  };
  const kysely = orm.em.getConnection().getClient();
  await kysely.insertInto('kinetis_queue_jobs').values(row).execute();
}

/** Time is the database's, so instead of it every stored time is moved, the other way. */
async function advance(orm: Orm, seconds: number): Promise<void> {
  const ms = Math.round(seconds * 1_000);
  await orm.em
    .getConnection()
    .execute(`update kinetis_queue_jobs set due_at = due_at - ${ms}, stored_at = stored_at - ${ms}`);
}

export interface OpenHarness {
  readonly harness: ConformanceHarness;
  /** Drops the database. */
  close(): Promise<void>;
}

/** The sql backend on a database of its own; each case gets a backend of its own on it. */
export async function openHarness(driver: string, source: Source): Promise<OpenHarness> {
  const database = await newDatabase(driver);
  const orm = await database.openOrm();
  const target = source === 'orm' ? { orm } : { connection: database.connection };
  await migrateSqlQueue(target.orm ?? target.connection);
  // Backends on one file share its MikroORM; this one keeps it open between the cases.
  const keeper = await openBackend(target, 90);
  await keeper.connect();
  return {
    harness: harnessOf({ database, orm, source, keeper, open: (lease) => openBackend(target, lease) }),
    async close() {
      await keeper.close();
      await orm.close(true);
      await database.drop();
    },
  };
}

async function openBackend(target: SqlOptions, leaseSeconds: number): Promise<QueueBackend> {
  return sql({ ...target, leaseSeconds })(testBackendContext());
}

interface Parts {
  readonly database: TestDatabase;
  readonly orm: Orm;
  readonly source: Source;
  readonly keeper: QueueBackend;
  readonly open: (leaseSeconds: number) => Promise<QueueBackend>;
}

function harnessOf({ database, orm, source, keeper, open }: Parts): ConformanceHarness {
  const { name, dialect } = database;
  return {
    name: `${name}, ${source}`,
    capabilities: keeper.capabilities,
    facilities: ['clock', 'storeRaw', 'second'],
    cannotHold: malformedKinds.map(({ kind }) => kind).filter((kind) => isRefusedBy(dialect, kind)),
    async open({ leaseSeconds }) {
      const backend = await open(leaseSeconds);
      const backends = [backend];
      return {
        backend,
        advance: (seconds) => advance(orm, seconds),
        storeRaw: (item) => insertRaw(orm, item),
        async second() {
          const another = await open(leaseSeconds);
          backends.push(another);
          return another;
        },
        async close() {
          for (const opened of backends) await opened.close();
          await orm.em.getConnection().execute('delete from kinetis_queue_jobs');
        },
      };
    },
  };
}
