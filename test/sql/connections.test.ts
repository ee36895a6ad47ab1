import { MikroORM } from '@mikro-orm/core';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ConnectionFailed,
  QueueConfigurationException,
  SchemaOutdatedException,
  ServerRefused,
  TransactionRequiredException,
} from '../../lib/contract/index.js';
import { migrateSqlQueue, sql, type SqlOptions } from '../../lib/sql.js';
import {
  backendContext,
  migrated,
  newJob,
  openBackend,
  openOrm,
  temporaryFile,
} from '../support/sql-files.js';

/** Takes the write lock of a file, as another process would, and says how to give it back. */
async function lock(file: string): Promise<() => Promise<void>> {
  const connection = (await openOrm(file)).em.getConnection();
  await connection.execute('begin immediate', [], 'run');
  return async () => {
    await connection.execute('commit', [], 'run');
  };
}

describe('where sql() finds its database', () => {
  it.each([
    ['the only MikroORM of the application', {}, MikroORM],
    ['a named context', { contextName: 'ledger' }, 'ledger_MikroORM'],
  ])('is %s', async (_, options, token) => {
    const orm = await openOrm(await temporaryFile());
    await migrateSqlQueue(orm);
    const backend = await openBackend(options, backendContext(new Map([[token, orm]])));
    await backend.connect();
    await backend.close();
    expect(await orm.isConnected()).toBe(true);
  });

  it('is asked of the application at first use only, and named when it is not there', async () => {
    const backend = await openBackend({ contextName: 'ledger' });
    await expect(backend.connect()).rejects.toThrow(/no MikroORM for the context "ledger"/);
    await expect(backend.connect()).rejects.toBeInstanceOf(QueueConfigurationException);
  });

  it('is a file of its own, in WAL mode, closed with the last backend on it', async () => {
    const file = await temporaryFile();
    const connection = { driver: 'sqlite', file } as const;
    await migrateSqlQueue(connection);
    const first = await openBackend({ connection });
    const second = await openBackend({ connection });
    await Promise.all([first.store([newJob()]), second.store([newJob()])]);
    await first.close();
    expect((await second.count('mail')).ready).toBe(2);
    await second.close();
    await expect(second.count('mail')).rejects.toBeInstanceOf(ConnectionFailed);
    // The file's header says in byte 18 how it is written: 1 for a rollback journal, 2 for WAL.
    expect((await readFile(file))[18]).toBe(2);
  });

  it('is not switched to WAL where it belongs to the application, which is told instead', async () => {
    const { orm } = await migrated();
    await orm.em.getConnection().execute('pragma journal_mode = delete');
    const warnings: string[] = [];
    const backend = await openBackend({ orm }, backendContext(new Map(), warnings));
    await backend.connect();
    expect(warnings).toEqual([expect.stringMatching(/journal mode "delete".*pragma journal_mode = wal/)]);
    await orm.em.getConnection().execute('pragma journal_mode = wal');
    await backend.connect();
    expect(warnings).toHaveLength(1);
  });

  it('can be reached later when it could not be opened at first', async () => {
    const file = await temporaryFile();
    await mkdir(file);
    const connection = { driver: 'sqlite', file } as const;
    const backend = await openBackend({ connection });
    await expect(backend.connect()).rejects.toBeInstanceOf(ConnectionFailed);
    expect(await backend.store([newJob()])).toEqual([
      { status: 'refused', error: expect.any(ConnectionFailed) },
    ]);
    await rm(file, { recursive: true });
    await migrateSqlQueue(connection);
    expect(await backend.store([newJob()])).toEqual([{ status: 'applied' }]);
  });

  it('is not made of a mistyped path: only a migration makes a file', async () => {
    const file = join(await temporaryFile(), 'mistyped', 'queue.sqlite');
    const backend = await openBackend({ connection: { driver: 'sqlite', file } });
    await expect(backend.connect()).rejects.toBeInstanceOf(SchemaOutdatedException);
    await expect(backend.connect()).rejects.toThrow(file);
    expect(existsSync(dirname(file))).toBe(false);
    await migrateSqlQueue({ driver: 'sqlite', file });
    expect(await backend.store([newJob()])).toEqual([{ status: 'applied' }]);
    await backend.close();
  });

  it.each<[SqlOptions, RegExp]>([
    [{ leaseSeconds: 0 }, /leaseSeconds: expected a positive finite number, came 0/],
    [{ tablePrefix: 'a b' }, /tablePrefix: expected a letter or underscore/],
    [{ contextName: '' }, /contextName: expected the name of a MikroORM context, came an empty string/],
    [
      { connection: { driver: 'sqlite', file: 'postgres://me:secret@host/db' } },
      /connection.file: expected the path of a file, came an address/,
    ],
    [{ orm: {} as never }, /orm: expected an instance of MikroORM, came an object/],
    [
      { connection: { driver: 'oracle' as never, file: 'x' } },
      /connection.driver: expected one of sqlite, postgresql, mariadb, mysql, came "oracle"/,
    ],
    [
      { contextName: 'a', connection: { driver: 'sqlite', file: 'x' } },
      /expected at most one of them, came 2/,
    ],
  ])('is refused for %o', (options, message) => {
    expect(() => sql(options)).toThrow(QueueConfigurationException);
    expect(() => sql(options)).toThrow(message);
  });
});

describe('a file that another process has locked', () => {
  it('is tried again until the lock is gone, while the event loop turns', async () => {
    const { file, backend } = await migrated();
    const unlock = await lock(file);
    const stored = backend.store([newJob()]);
    await new Promise((resolve) => setImmediate(resolve));
    await unlock();
    expect(await stored).toEqual([{ status: 'applied' }]);
  });

  it('refuses stores, settlements and reserves when the lock stays', async () => {
    const { file, backend } = await migrated({ leaseSeconds: 1 });
    await backend.store([newJob(), newJob()]);
    const [item] = await backend.reserve(['mail'], 1);
    const unlock = await lock(file);
    const refused = [{ status: 'refused', error: expect.any(ServerRefused) }];
    expect(await backend.store([newJob()])).toEqual(refused);
    expect(await backend.settle([{ operation: 'ack', receipt: item?.receipt, followUps: [] }])).toEqual(
      refused,
    );
    const reserving = backend.reserve(['mail'], 1);
    await expect(reserving).rejects.toThrow(/locked by another connection \(SQLITE_BUSY\)/);
    await expect(reserving).rejects.toBeInstanceOf(ServerRefused);
    expect((await backend.count('mail')).ready).toBe(1);
    await unlock();
    expect(await backend.settle([{ operation: 'ack', receipt: item?.receipt, followUps: [] }])).toEqual([
      { status: 'applied' },
    ]);
  });

  it('does not stop a sweep that finds nothing', async () => {
    const { file, backend } = await migrated({ leaseSeconds: 1 });
    const unlock = await lock(file);
    expect(await backend.reserve(['mail'], 1)).toEqual([]);
    await unlock();
  });
});

describe('a connection that is closed or misused', () => {
  it('is a lost server', async () => {
    const { backend, orm } = await migrated();
    await backend.store([newJob()]);
    const [item] = await backend.reserve(['mail'], 1);
    await orm.close(true);
    await expect(backend.reserve(['mail'], 1)).rejects.toBeInstanceOf(ConnectionFailed);
    expect(await backend.settle([{ operation: 'ack', receipt: item?.receipt, followUps: [] }])).toEqual([
      { status: 'unknown', error: expect.any(ConnectionFailed) },
    ]);
  });

  it('takes no job into a transaction that was begun behind the back of MikroORM', async () => {
    const { backend, orm } = await migrated({ acquireTimeoutMs: 20 });
    await orm.em.getConnection().execute('begin', [], 'run');
    expect(await backend.store([newJob()])).toEqual([
      { status: 'refused', error: expect.any(TransactionRequiredException) },
    ]);
    const patient = await openBackend({ orm });
    const stored = patient.store([newJob()]);
    await new Promise((resolve) => setImmediate(resolve));
    await orm.em.getConnection().execute('rollback', [], 'run');
    expect(await stored).toEqual([{ status: 'applied' }]);
    expect((await backend.count('mail')).ready).toBe(1);
  });

  it('shows no value of a job in an error', async () => {
    const { backend } = await migrated();
    const job = newJob({ body: 'secret', header: { priority: null as never } });
    const error: unknown = await backend.store([job]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('secret');
  });
});
