/** The databases that are reached through a pool; `mysql` is MySQL and MariaDB alike. */
export type PooledFlavour = 'postgresql' | 'mysql';

/**
 * The flavour of a connection of MikroORM, null for other databases. Told by the names of its classes, because an
 * application may have its own subclass, and no driver may be imported here.
 */
export function flavourOf(connection: unknown): PooledFlavour | null {
  for (let at: unknown = connection; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    const name = at.constructor.name;
    if (/^PostgreSqlConnection$/i.test(name)) return 'postgresql';
    if (/^(MySql|MariaDb)Connection$/i.test(name)) return 'mysql';
  }
  return null;
}
