import { AcquireFailed } from './acquire-failed.js';
import { LOCK_SLICE_MS } from './busy-timeout.js';
import type { KyselyConnectionLike, KyselyLike } from './mikro-orm.js';
import { kyselyStatements } from './kysely-statements.js';
import { fileOf, isSqliteConnection } from './same-file.js';
import type { SqlExecutor, SqlSession } from './sql-executor.js';
import { type Statements, withSavepoints, withTransactions } from './transaction.js';

export interface KyselySqliteOptions {
  /** MikroORM's connection, and the kysely instance that it has at the moment. */
  readonly connection: unknown;
  readonly kysely: () => KyselyLike;
  readonly close: () => Promise<void>;
}

/** How long the queue waits for its own connection to ask for its file, in milliseconds. */
const FILE_TIMEOUT_MS = 5_000;

/** SQLite through MikroORM 7: kysely lends its one connection. */
export function kyselySqliteExecutor(options: KyselySqliteOptions): SqlExecutor {
  const hold = <T>(timeoutMs: number, work: (session: SqlSession) => Promise<T>): Promise<T> =>
    holdConnection(options.kysely(), timeoutMs, async (connection) => {
      const statements = kyselyStatements(connection);
      const restore = await limitBusyTimeout(statements);
      try {
        return await work(withTransactions(statements, { begin: 'begin immediate' }));
      } finally {
        await restore();
      }
    });
  let own: string | null = null;
  const isOwnFile = async (connection: unknown, theirs: Statements): Promise<boolean> => {
    if (!isSqliteConnection(connection)) return false;
    own ??= await hold(FILE_TIMEOUT_MS, fileOf);
    return own !== null && (await fileOf(theirs)) === own;
  };
  return {
    session: ({ acquireTimeoutMs }, work) => hold(acquireTimeoutMs, work),
    async within({ connection, context }) {
      const statements = kyselyStatements(context as KyselyConnectionLike);
      const isOurs = connection === options.connection || (await isOwnFile(connection, statements));
      return isOurs ? withSavepoints(statements) : null;
    },
    close: options.close,
  };
}

/** As in busy-timeout.ts; kysely prepares each statement anew. */
async function limitBusyTimeout(statements: Statements): Promise<() => Promise<void>> {
  const [row] = await statements.all('pragma busy_timeout');
  const current = row?.['timeout'];
  if (typeof current !== 'number' || current <= LOCK_SLICE_MS) return () => Promise.resolve();
  await statements.all(`pragma busy_timeout = ${LOCK_SLICE_MS}`);
  return async () => {
    await statements.all(`pragma busy_timeout = ${current}`);
  };
}

/** kysely's line cannot be left: a wait that was given up still gets its turn, and then does nothing. */
function holdConnection<T>(
  kysely: KyselyLike,
  timeoutMs: number,
  work: (connection: KyselyConnectionLike) => Promise<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let state: 'waiting' | 'running' | 'abandoned' = 'waiting';
    const timer = setTimeout(() => {
      if (state !== 'waiting') return;
      state = 'abandoned';
      reject(new AcquireFailed('held', `No connection of the database was free for ${timeoutMs} ms.`));
    }, timeoutMs);
    kysely
      .connection()
      .execute(async (connection) => {
        if (state === 'abandoned') return;
        state = 'running';
        clearTimeout(timer);
        resolve(await work(connection));
      })
      .catch((error: unknown) => {
        clearTimeout(timer);
        reject(
          state === 'running'
            ? error
            : new AcquireFailed('lost', 'The connection of the database cannot be opened.', { cause: error }),
        );
      });
  });
}
