import { describe, expect, it } from 'vitest';
import {
  ConnectionFailed,
  InvalidQueueArgumentException,
  ServerRefused,
  TransactionRequiredException,
} from '../../lib/contract/index.js';
import { migrated, newJob, openOrm, temporaryFile } from '../support/sql-files.js';

describe('the connection that the application and the queue share', () => {
  it('refuses a push that waits for a transaction of the application, and stores nothing later', async () => {
    const { backend, orm } = await migrated({ acquireTimeoutMs: 50 });
    const outcomes = await orm.em.transactional(() => backend.store([newJob()]));
    expect(outcomes).toEqual([{ status: 'refused', error: expect.any(TransactionRequiredException) }]);
    await backend.store([newJob({ queue: 'after' })]);
    expect(await backend.queues()).toEqual(['after']);
  });

  it('refuses a settlement that waits, so that it may be tried again, and never applies it later', async () => {
    const { backend, orm } = await migrated({ acquireTimeoutMs: 50 });
    await backend.store([newJob()]);
    const [item] = await backend.reserve(['mail'], 1);
    const ack = { operation: 'ack', receipt: item?.receipt, followUps: [] } as const;
    const outcomes = await orm.em.transactional(() => backend.settle([ack]));
    expect(outcomes).toEqual([{ status: 'refused', error: expect.any(ServerRefused) }]);
    expect((await backend.count('mail')).reserved).toBe(1);
    expect(await backend.settle([ack])).toEqual([{ status: 'applied' }]);
  });

  it('fails a reserve that waits as a lost server, and reserves nothing later', async () => {
    const { backend, orm } = await migrated({ acquireTimeoutMs: 50 });
    await backend.store([newJob()]);
    await orm.em.transactional(async () => {
      await expect(backend.reserve(['mail'], 1)).rejects.toBeInstanceOf(ConnectionFailed);
    });
    expect(await backend.count('mail')).toMatchObject({ ready: 1, reserved: 0 });
  });

  it('serves what waited as soon as the transaction has ended', async () => {
    const { backend, orm } = await migrated();
    let stored: Promise<unknown> | undefined;
    await orm.em.transactional(async () => {
      stored = Promise.all([backend.store([newJob()]), backend.store([newJob()])]);
    });
    expect(await stored).toEqual([[{ status: 'applied' }], [{ status: 'applied' }]]);
  });

  it('leaves no open transaction behind when a statement fails', async () => {
    const { backend, orm } = await migrated();
    await orm.em.getConnection().execute('drop table kinetis_queue_jobs');
    await expect(backend.store([newJob(), newJob()])).rejects.toMatchObject({ code: 'SCHEMA_OUTDATED' });
    await orm.em.transactional(async (em) => {
      await em.getConnection().execute('select 1', [], 'all', em.getTransactionContext());
    });
  });

  it('keeps busy_timeout and journal mode of the application as they were', async () => {
    const { backend, orm } = await migrated();
    const connection = orm.em.getConnection();
    await connection.execute('pragma busy_timeout = 1234');
    await connection.execute('pragma journal_mode = delete');
    await backend.store([newJob()]);
    await backend.close();
    expect(await connection.execute('pragma busy_timeout')).toEqual([{ timeout: 1234 }]);
    expect(await connection.execute('pragma journal_mode')).toEqual([{ journal_mode: 'delete' }]);
  });
});

describe('a push within a transaction of the application', () => {
  it('appears with its commit', async () => {
    const { backend, orm } = await migrated();
    await orm.em.transactional(async (em) => {
      expect(await backend.store([newJob(), newJob()], { transaction: em })).toEqual([
        { status: 'applied' },
        { status: 'applied' },
      ]);
    });
    expect((await backend.count('mail')).ready).toBe(2);
  });

  it('is gone with its rollback', async () => {
    const { backend, orm } = await migrated();
    const rolledBack = orm.em.transactional(async (em) => {
      await backend.store([newJob()], { transaction: em });
      throw new Error('undo');
    });
    await expect(rolledBack).rejects.toThrow('undo');
    expect((await backend.count('mail')).ready).toBe(0);
  });

  it('wakes a waiting worker after the commit, not before', async () => {
    const { backend, orm } = await migrated();
    expect(await backend.reserve(['mail'], 1)).toEqual([]);
    const { signal } = new AbortController();
    let woken = false;
    const waiting = backend.waitForWork(['mail'], { timeoutMs: 60_000, limit: 1, signal }).then(() => {
      woken = true;
    });
    let wokenWithin = false;
    await orm.em.transactional(async (em) => {
      await backend.store([newJob()], { transaction: em });
      wokenWithin = woken;
    });
    await waiting;
    expect(wokenWithin).toBe(false);
    expect(await backend.reserve(['mail'], 1)).toHaveLength(1);
  });

  it('takes back all of its jobs when one cannot be stored', async () => {
    const { backend, orm } = await migrated();
    const broken = newJob({ header: { priority: null as never } });
    await orm.em.transactional(async (em) => {
      await expect(backend.store([newJob(), broken], { transaction: em })).rejects.toThrow(/constraint/);
    });
    expect((await backend.count('mail')).ready).toBe(0);
  });

  it('is refused without an open transaction on the database of the queue', async () => {
    const { backend, orm } = await migrated();
    const ended = orm.em.fork();
    await ended.begin();
    const context = ended.getTransactionContext();
    await ended.commit();
    const afterwards = { getConnection: () => orm.em.getConnection(), getTransactionContext: () => context };
    for (const transaction of [{}, orm.em.fork(), afterwards]) {
      await expect(backend.store([newJob()], { transaction })).rejects.toBeInstanceOf(
        InvalidQueueArgumentException,
      );
    }
    const other = await openOrm(await temporaryFile());
    await other.em.transactional(async (em) => {
      await expect(backend.store([newJob()], { transaction: em })).rejects.toBeInstanceOf(
        InvalidQueueArgumentException,
      );
    });
  });
});
