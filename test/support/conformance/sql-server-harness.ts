import { randomBytes } from 'node:crypto';
import { SQL_CAPABILITIES } from '../../../lib/backends/sql/sql.capabilities.js';
import { encodeStoredBody } from '../../../lib/backends/sql/stored-body.js';
import type { QueueBackend } from '../../../lib/contract/index.js';
import { migrateSqlQueue, sql } from '../../../lib/sql.js';
import {
  type ConformanceHarness,
  malformedKinds,
  type RawItem,
  testBackendContext,
} from '../../../lib/testing.js';
import { sqlRequests } from '../sql-requests.js';
import { administer, connectionTo, type ServerDriver, type ServerOrm } from '../sql-servers.js';
import { headerColumns } from './header-columns.js';
import { TcpProxy } from '../tcp-proxy.js';

/** What typed columns cannot hold: no header at all, and counters that are missing, null, or no whole number. */
function isRefusedByTable(kind: string): boolean {
  if (kind === 'header: unreadable') return true;
  const [, field, value] = /^header\.(\w+): (.*)$/.exec(kind) ?? [];
  if (field === undefined || field === 'uniqueKey' || value === undefined) return false;
  return !/^-?\d+$/.test(value) || !Number.isSafeInteger(Number(value));
}

export interface SqlServerHarness {
  readonly harness: ConformanceHarness;
  /** Drops the database. */
  close(): Promise<void>;
}

/**
 * The sql backend on a database of its own on a server; each case gets a backend of its own on it, over a wire that can
 * be cut.
 */
export async function openSqlServerHarness(driver: ServerDriver): Promise<SqlServerHarness> {
  const database = `kinetis_test_${randomBytes(6).toString('hex')}`;
  await administer(driver, `create database ${database}`);
  const { host, port } = driver.address;
  const wire = await TcpProxy.open({ host, port, reader: sqlRequests });
  const own = { ...connectionTo(driver, database), host: '127.0.0.1', port: wire.port };
  await migrateSqlQueue(own);
  const foreign = await driver.open({ dbName: database });
  const newBackend = async (leaseSeconds: number): Promise<QueueBackend> =>
    sql({ connection: own, leaseSeconds })(testBackendContext());
  const execute = (text: string, values: readonly unknown[] = []): Promise<unknown> =>
    foreign.em.getConnection().execute(text, [...values], 'run');
  return {
    harness: {
      name: driver.name,
      capabilities: SQL_CAPABILITIES,
      facilities: ['clock', 'storeRaw', 'second', 'silence', 'silenceAck'],
      cannotHold: malformedKinds.map(({ kind }) => kind).filter(isRefusedByTable),
      async open({ leaseSeconds }) {
        const backends = [await newBackend(leaseSeconds)];
        return {
          backend: backends[0] as QueueBackend,
          // Time is the server's, so instead of it every stored time is moved, the other way.
          async advance(seconds) {
            const ms = Math.round(seconds * 1_000);
            await execute('update kinetis_queue_jobs set due_at = due_at - ?, stored_at = stored_at - ?', [
              ms,
              ms,
            ]);
          },
          storeRaw: (item) => insertRaw(foreign, item),
          async silence(part) {
            void wire.lose(part);
          },
          async second() {
            const backend = await newBackend(leaseSeconds);
            backends.push(backend);
            return backend;
          },
          async close() {
            for (const backend of backends) await backend.close();
            await execute('delete from kinetis_queue_jobs');
          },
        };
      },
    },
    async close() {
      await wire.close();
      await foreign.close(true);
      await administer(driver, `drop database ${database}`);
    },
  };
}

/** Stores what no push would, through the application's MikroORM. Bytes stand as a foreign writer would leave them. */
async function insertRaw(orm: ServerOrm, { queue, header, body }: RawItem): Promise<void> {
  const names = headerColumns.map(([column]) => column);
  const values = headerColumns.map(([, field]) => header?.[field] ?? null);
  const now = Date.now();
  const platform = orm.em.getPlatform();
  await orm.em.getConnection().execute(
    `insert into kinetis_queue_jobs (id, queue, state, due_at, stored_at, body, ${names.map((name) => platform.quoteIdentifier(name)).join(', ')})
       values (?, ?, 0, ?, ?, ?, ${names.map(() => '?').join(', ')})`,
    [randomBytes(16).toString('hex'), queue, now, now, encodeStoredBody(body), ...values],
    'run',
  );
}
