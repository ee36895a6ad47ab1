import { describe, expect, it } from 'vitest';
import { AcquireFailed } from '../../lib/backends/sql/executor/acquire-failed.js';
import { kyselySqliteExecutor } from '../../lib/backends/sql/executor/kysely-sqlite.executor.js';
import type { KyselyConnectionLike, KyselyLike } from '../../lib/backends/sql/executor/mikro-orm.js';

interface Query {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** One connection that is lent in turn, as MikroORM 7 has it on SQLite; it records what is sent. */
function oneConnection(file = '/data/queue.sqlite') {
  const sent: Query[] = [];
  let line: Promise<unknown> = Promise.resolve();
  const connection: KyselyConnectionLike = {
    async executeQuery(query) {
      sent.push(query as Query);
      const { sql } = query as Query;
      if (sql === 'broken') throw new Error('broken statement');
      if (sql === 'pragma busy_timeout') return { rows: [{ timeout: 5_000 }] };
      if (sql === 'pragma database_list') return { rows: [{ seq: 0, name: 'main', file }] };
      return { rows: [{ a: 1 }], numAffectedRows: 3n };
    },
  };
  const kysely: KyselyLike = {
    connection: () => ({
      execute(work) {
        const turn = line.then(() => work(connection));
        line = turn.catch(() => undefined);
        return turn;
      },
    }),
  };
  const mikroOrm = {};
  const close = (): Promise<void> => Promise.resolve();
  const executor = kyselySqliteExecutor({ connection: mikroOrm, kysely: () => kysely, close });
  const texts = (): string[] => sent.map(({ sql }) => sql).filter((sql) => !sql.startsWith('pragma'));
  return { executor, connection, mikroOrm, sent, texts };
}

const patient = { acquireTimeoutMs: 60_000 };

describe('the executor for MikroORM 7', () => {
  it('binds values, and says how many rows a statement changed', async () => {
    const { executor, sent } = oneConnection();
    await executor.session(patient, async (session) => {
      expect(await session.run('update', ['?', null, 1])).toBe(3);
      expect(await session.all('select')).toEqual([{ a: 1 }]);
    });
    expect(sent.find(({ sql }) => sql === 'update')?.parameters).toEqual(['?', null, 1]);
  });

  it('never runs work whose wait for the connection was given up', async () => {
    const { executor, texts } = oneConnection();
    let release = (): void => undefined;
    const held = executor.session(patient, async (session) => {
      await new Promise<void>((resolve) => (release = resolve));
      await session.run('held');
    });
    const given = executor.session({ acquireTimeoutMs: 5 }, (session) => session.run('too late'));
    await expect(given).rejects.toMatchObject({ reason: 'held' });
    await expect(given).rejects.toBeInstanceOf(AcquireFailed);
    release();
    await held;
    await executor.session(patient, (session) => session.run('after'));
    expect(texts()).toEqual(['held', 'after']);
  });

  it('rolls a transaction back when a statement fails, and passes the error on', async () => {
    const { executor, texts } = oneConnection();
    const failed = executor.session(patient, (session) => session.atomically(() => session.run('broken')));
    await expect(failed).rejects.toThrow('broken statement');
    await executor.session(patient, (session) => session.atomically(() => session.run('whole')));
    expect(texts()).toEqual(['begin immediate', 'broken', 'rollback', 'begin immediate', 'whole', 'commit']);
  });

  it('gives the application back its busy_timeout', async () => {
    const { executor, sent } = oneConnection();
    await expect(executor.session(patient, (session) => session.run('broken'))).rejects.toThrow('broken');
    expect(sent.map(({ sql }) => sql)).toEqual([
      'pragma busy_timeout',
      'pragma busy_timeout = 100',
      'broken',
      'pragma busy_timeout = 5000',
    ]);
  });

  it('joins a transaction of its own connection', async () => {
    const { executor, connection, mikroOrm, sent } = oneConnection();
    expect(await executor.within({ connection: mikroOrm, context: connection })).not.toBeNull();
    expect(sent).toEqual([]);
  });

  it('joins a transaction of another connection to its file, and of no other file', async () => {
    class SqliteConnection {}
    const another = new SqliteConnection();
    const { executor } = oneConnection();
    const sameFile = oneConnection().connection;
    expect(await executor.within({ connection: another, context: sameFile })).not.toBeNull();
    const otherFile = oneConnection('/data/other.sqlite').connection;
    expect(await executor.within({ connection: another, context: otherFile })).toBeNull();
    const [memory, otherMemory] = [oneConnection(''), oneConnection('')];
    expect(await memory.executor.within({ connection: another, context: otherMemory.connection })).toBeNull();
  });

  it('sends nothing into a transaction of another kind of database, which an error could end', async () => {
    class PostgreSqlConnection {}
    const { executor } = oneConnection();
    const { connection, sent } = oneConnection();
    expect(await executor.within({ connection: new PostgreSqlConnection(), context: connection })).toBeNull();
    expect(sent).toEqual([]);
  });
});
