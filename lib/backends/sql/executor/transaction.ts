import type { SqlSession } from './sql-executor.js';

/** Statements on one connection, without a way to bind them together. */
export type Statements = Pick<SqlSession, 'run' | 'all'>;

interface Bracket {
  readonly begin: string;
  readonly commit: string;
  readonly undo: readonly string[];
  /** False when the database has ended the transaction by itself. */
  readonly isOpen?: () => boolean;
}

/** A session on a connection that nobody else uses: what belongs together runs in a transaction. */
export function withTransactions(
  statements: Statements,
  options: Pick<Bracket, 'begin' | 'isOpen'>,
): SqlSession {
  return bracketed(statements, { commit: 'commit', undo: ['rollback'], ...options });
}

/** A session within the caller's transaction, who may go on after an error: what came before it is taken back. */
export function withSavepoints(statements: Statements): SqlSession {
  const release = 'release savepoint kinetis_queue';
  return bracketed(statements, {
    begin: 'savepoint kinetis_queue',
    commit: release,
    undo: ['rollback to savepoint kinetis_queue', release],
  });
}

function bracketed({ run, all }: Statements, { begin, commit, undo, isOpen }: Bracket): SqlSession {
  let isJoined = false;
  return {
    run,
    all,
    async atomically(work) {
      if (isJoined) return work();
      await run(begin);
      isJoined = true;
      try {
        const result = await work();
        await run(commit);
        return result;
      } catch (error) {
        // SQLite rolls back by itself after some errors, and then has nothing left to roll back.
        if (isOpen?.() !== false) for (const statement of undo) await run(statement).catch(() => undefined);
        throw error;
      } finally {
        isJoined = false;
      }
    },
  };
}
