import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL_CAPABILITIES } from '../../../lib/backends/sql/sql.capabilities.js';
import type { QueueBackend } from '../../../lib/contract/index.js';
import { migrateSqlQueue, sql } from '../../../lib/sql.js';
import {
  type ConformanceHarness,
  malformedKinds,
  type RawItem,
  testBackendContext,
} from '../../../lib/testing.js';
import { headerColumns } from './header-columns.js';

/** The part of better-sqlite3 that the harness uses; the package brings no types. */
interface Database {
  prepare(sql: string): { run(...values: readonly unknown[]): unknown };
  pragma(text: string): unknown;
  close(): void;
}
const BetterSqlite = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => Database;

/** What the table cannot hold: a row without a header, a counter that is null, and digits as text in an integer. */
function isRefusedByTable(kind: string): boolean {
  return (
    kind === 'header: unreadable' || kind === 'header.v: "1"' || /^header\..*: (missing|null)$/.test(kind)
  );
}

function insertRaw(database: Database, { queue, header, body }: RawItem): void {
  const names = headerColumns.map(([column]) => column);
  const values = headerColumns.map(([, field]) => header?.[field] ?? null);
  const now = Date.now();
  database
    .prepare(
      `insert into kinetis_queue_jobs (id, queue, state, due_at, stored_at, body, ${names.join(', ')})
       values (?, ?, 0, ?, ?, ?, ${names.map(() => '?').join(', ')})`,
    )
    .run(
      randomBytes(16).toString('hex'),
      queue,
      now,
      now,
      typeof body === 'string' ? body : Buffer.from(body),
      ...values,
    );
}

/** Time on SQLite is the machine's, so instead of it every stored time is moved, the other way. */
function advance(database: Database, seconds: number): void {
  const ms = Math.round(seconds * 1_000);
  database
    .prepare('update kinetis_queue_jobs set due_at = due_at - ?, stored_at = stored_at - ?')
    .run(ms, ms);
}

export interface SqliteHarness {
  readonly harness: ConformanceHarness;
  /** Removes the database. */
  close(): Promise<void>;
}

/** The sql backend on one file in a temporary folder; each case gets a backend of its own on it. */
export async function openSqliteHarness(): Promise<SqliteHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-conformance-test-'));
  const file = join(folder, 'queue.sqlite');
  const connection = { driver: 'sqlite', file } as const;
  await migrateSqlQueue(connection);
  const newBackend = async (leaseSeconds: number): Promise<QueueBackend> =>
    sql({ connection, leaseSeconds })(testBackendContext());
  // Backends on one file share its MikroORM; this one keeps it open between the cases.
  const keeper = await newBackend(90);
  await keeper.connect();
  const database = new BetterSqlite(file);
  database.pragma('busy_timeout = 5000');
  return {
    harness: {
      name: 'sqlite',
      capabilities: SQL_CAPABILITIES,
      facilities: ['clock', 'storeRaw', 'second'],
      cannotHold: malformedKinds.map(({ kind }) => kind).filter(isRefusedByTable),
      async open({ leaseSeconds }) {
        const backends = [await newBackend(leaseSeconds)];
        return {
          backend: backends[0] as QueueBackend,
          advance: (seconds) => advance(database, seconds),
          storeRaw: async (item) => insertRaw(database, item),
          async second() {
            const backend = await newBackend(leaseSeconds);
            backends.push(backend);
            return backend;
          },
          async close() {
            for (const backend of backends) await backend.close();
            database.prepare('delete from kinetis_queue_jobs').run();
          },
        };
      },
    },
    async close() {
      database.close();
      await keeper.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
