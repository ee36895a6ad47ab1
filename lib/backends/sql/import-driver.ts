import { QueueUnavailableException } from '../../contract/index.js';
import type { SqlConnectionOptions } from './sql-connection.options.js';

/** Options of `MikroORM.init()`, as far as they are read here. */
interface OrmOptions {
  readonly dbName?: string | undefined;
  readonly [option: string]: unknown;
}

/** `MikroORM.init()` with a driver, and the version that it is of. */
export interface OrmInit {
  (options: OrmOptions): Promise<unknown>;
  readonly major: number;
}

interface Driver {
  readonly MikroORM: { init(options: object): Promise<unknown> };
  readonly driver: unknown;
  /** What the driver wants beside the options of every database. */
  readonly extra?: (options: OrmOptions) => object;
}

/** Each is imported by its own words, so that a bundler finds it. */
const DRIVERS: { readonly [Name in SqlConnectionOptions['driver']]: (major: number) => Promise<Driver> } = {
  async sqlite(major) {
    if (major >= 7) return nodeSqlite();
    const { MikroORM, BetterSqliteDriver } = await import('@mikro-orm/better-sqlite');
    return { MikroORM, driver: BetterSqliteDriver };
  },
  async postgresql() {
    const { MikroORM, PostgreSqlDriver } = await import('@mikro-orm/postgresql');
    return { MikroORM, driver: PostgreSqlDriver };
  },
  async mariadb() {
    const { MikroORM, MariaDbDriver } = await import('@mikro-orm/mariadb');
    return { MikroORM, driver: MariaDbDriver };
  },
  async mysql() {
    const { MikroORM, MySqlDriver } = await import('@mikro-orm/mysql');
    return { MikroORM, driver: MySqlDriver };
  },
};

/** MikroORM 7 reaches SQLite through node:sqlite, with nothing to compile. */
async function nodeSqlite(): Promise<Driver> {
  const { MikroORM, SqliteDriver, NodeSqliteDialect } = await import('@mikro-orm/sql');
  const extra = ({ dbName }: OrmOptions): object => ({
    driverOptions: new NodeSqliteDialect(dbName ?? ':memory:'),
  });
  return { MikroORM, driver: SqliteDriver, extra };
}

/** The package of a driver, and the release of MikroORM that it is tested with. */
function packageOf(name: SqlConnectionOptions['driver'], major: number): { name: string; version: string } {
  const version = major >= 7 ? '7.2.1' : '6.6.16';
  if (name !== 'sqlite') return { name: `@mikro-orm/${name}`, version };
  return { name: major >= 7 ? '@mikro-orm/sql' : '@mikro-orm/better-sqlite', version };
}

/** Loads MikroORM's driver. Throws `QueueUnavailableException` when it is not installed. */
export async function importDriver(name: SqlConnectionOptions['driver']): Promise<OrmInit> {
  let major = 6;
  try {
    major = await majorOfMikroOrm();
    const { MikroORM, driver, extra } = await DRIVERS[name](major);
    const init = (options: OrmOptions): Promise<unknown> =>
      MikroORM.init({ driver, ...extra?.(options), ...options });
    return Object.assign(init, { major });
  } catch (error) {
    const wanted = packageOf(name, major);
    throw new QueueUnavailableException(
      `sql(): expected ${wanted.name} for a connection of the queue's own; it cannot be loaded. Install it: ` +
        `npm install @mikro-orm/core@${wanted.version} ${wanted.name}@${wanted.version}`,
      { cause: error },
    );
  }
}

async function majorOfMikroOrm(): Promise<number> {
  const { Utils } = await import('@mikro-orm/core');
  return Number.parseInt(Utils.getORMVersion(), 10);
}
