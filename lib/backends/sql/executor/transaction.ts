import type { SqlSession } from './sql-executor.js';

/**
 * Runs work between `begin` and commit on a connection that nobody else uses. When anything rejects, the commit too,
 * the transaction is rolled back and nothing of it was applied.
 */
export async function inTransaction<T>(
  session: SqlSession,
  begin: string,
  work: (session: SqlSession) => Promise<T>,
  isOpen: () => boolean = () => true,
): Promise<T> {
  await session.run(begin);
  try {
    const result = await work(session);
    await session.run('commit');
    return result;
  } catch (error) {
    // SQLite rolls back by itself after some errors, and then has nothing left to roll back.
    if (isOpen()) await session.run('rollback').catch(() => undefined);
    throw error;
  }
}
