import type { Statements } from './transaction.js';

/** Told by the names of its classes, because no driver may be imported here. */
export function isSqliteConnection(connection: unknown): boolean {
  for (let at: unknown = connection; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    if (/sqlite/i.test(at.constructor?.name ?? '')) return true;
  }
  return false;
}

/** The file that statements go to, as SQLite names it; null for a database in memory, which is its connection's alone. */
export async function fileOf(statements: Statements): Promise<string | null> {
  const databases = await statements.all('pragma database_list');
  const file = databases.find(({ name }) => name === 'main')?.['file'];
  return typeof file === 'string' && file !== '' ? file : null;
}
