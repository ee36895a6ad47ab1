import { QueueUnavailableException } from '../../contract/index.js';
import type { SqlConnectionOptions } from './sql-connection.options.js';

/** `MikroORM.init()` with a driver, and the version that it is of. */
export interface OrmInit {
  (options: object): Promise<unknown>;
  readonly major: number;
}

interface Driver {
  readonly MikroORM: { init(options: object): Promise<unknown> };
  readonly driver: unknown;
}

/** Each is imported by its own words, so that a bundler finds it. */
const DRIVERS: { readonly [Name in SqlConnectionOptions['driver']]: () => Promise<Driver> } = {
  async sqlite() {
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

const PACKAGES: { readonly [Name in SqlConnectionOptions['driver']]: string } = {
  sqlite: '@mikro-orm/better-sqlite',
  postgresql: '@mikro-orm/postgresql',
  mariadb: '@mikro-orm/mariadb',
  mysql: '@mikro-orm/mysql',
};

/** Loads MikroORM's driver. Throws `QueueUnavailableException` when it is not installed. */
export async function importDriver(name: SqlConnectionOptions['driver']): Promise<OrmInit> {
  try {
    const { MikroORM, driver } = await DRIVERS[name]();
    const init = (options: object): Promise<unknown> => MikroORM.init({ driver, ...options });
    return Object.assign(init, { major: await majorOfMikroOrm() });
  } catch (error) {
    throw new QueueUnavailableException(
      `sql(): expected ${PACKAGES[name]} for a connection of the queue's own; it cannot be loaded. Install it: ` +
        `npm install @mikro-orm/core@6.6.16 ${PACKAGES[name]}@6.6.16`,
      { cause: error },
    );
  }
}

async function majorOfMikroOrm(): Promise<number> {
  const { Utils } = await import('@mikro-orm/core');
  return Number.parseInt(Utils.getORMVersion(), 10);
}
