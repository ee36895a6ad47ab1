import type { MikroORM } from '@mikro-orm/core';
import { MikroORM as MariaDbOrm } from '@mikro-orm/mariadb';
import { MikroORM as MySqlOrm } from '@mikro-orm/mysql';
import { MikroORM as PostgreSqlOrm } from '@mikro-orm/postgresql';
import { type AbstractSqlDriver, MikroORM as SqlOrm, NodeSqliteDialect, SqliteDriver } from '@mikro-orm/sql';
import type { SqlConnectionOptions, SqlDialectName } from '@kinetis/nestjs-queue/sql';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A MikroORM over any of the drivers. */
export type Orm = MikroORM<AbstractSqlDriver>;

/** An empty database of one test. */
export interface TestDatabase {
  readonly name: string;
  readonly dialect: SqlDialectName;
  /** What `sql()` takes to connect by itself. */
  readonly connection: SqlConnectionOptions;
  /** Another MikroORM of an application over it. */
  openOrm(options?: object): Promise<Orm>;
  drop(): Promise<void>;
}

const COMMON = { entities: [], discovery: { warnWhenNoEntities: false } };

interface Server {
  readonly dialect: SqlDialectName;
  readonly variable: string;
  readonly url: string;
  /** A database that is always there. */
  readonly maintenance: string;
  readonly drop: (database: string) => string;
  init(options: object): Promise<Orm>;
}

const ofMysql = {
  dialect: 'mysql',
  variable: 'KINETIS_TEST_MARIADB_URL',
  url: 'mysql://root@127.0.0.1:3306/',
  maintenance: 'mysql',
  drop: (database: string) => `drop database ${database}`,
} as const;

/** MariaDB is reached through the drivers of both MariaDB and MySQL. */
const SERVERS = {
  postgresql: {
    dialect: 'postgresql',
    variable: 'KINETIS_TEST_POSTGRES_URL',
    url: 'postgresql://postgres@127.0.0.1:5432/',
    maintenance: 'postgres',
    drop: (database) => `drop database ${database} with (force)`,
    init: (options) => PostgreSqlOrm.init({ ...COMMON, ...options }),
  },
  mariadb: { ...ofMysql, init: (options) => MariaDbOrm.init({ ...COMMON, ...options }) },
  mysql: { ...ofMysql, init: (options) => MySqlOrm.init({ ...COMMON, ...options }) },
} as const satisfies { readonly [name: string]: Server };

type ServerName = keyof typeof SERVERS;

/** Opens an empty database by the name of MikroORM's driver: sqlite, postgresql, mariadb or mysql. */
export async function newDatabase(driver: string): Promise<TestDatabase> {
  if (driver === 'sqlite') return newFile();
  if (driver in SERVERS) return newServerDatabase(driver as ServerName);
  throw new Error(`Expected sqlite or one of ${Object.keys(SERVERS).join(', ')}; got "${driver}".`);
}

async function newFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'kinetis-node24-test-'));
  const file = join(folder, 'queue.sqlite');
  return {
    name: 'sqlite',
    dialect: 'sqlite',
    connection: { driver: 'sqlite', file },
    async openOrm(options = {}) {
      const orm = await SqlOrm.init<AbstractSqlDriver>({
        ...COMMON,
        driver: SqliteDriver,
        dbName: file,
        driverOptions: new NodeSqliteDialect(file),
        ...options,
      });
      await orm.em.getConnection().execute('pragma journal_mode = wal');
      return orm;
    },
    drop: () => rm(folder, { recursive: true, force: true }),
  };
}

async function newServerDatabase(driver: ServerName): Promise<TestDatabase> {
  const server: Server = SERVERS[driver];
  const database = `kinetis_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(process.env[server.variable]?.split(',')[0] || server.url);
  url.pathname = `/${database}`;
  const open = (dbName: string, options: object = {}): Promise<Orm> =>
    server.init({
      host: url.hostname,
      port: Number(url.port),
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      dbName,
      ...options,
    });
  const administer = async (statement: string): Promise<void> => {
    const orm = await open(server.maintenance);
    try {
      await orm.em.getConnection().execute(statement);
    } finally {
      await orm.close(true);
    }
  };
  await administer(`create database ${database}`);
  return {
    name: driver,
    dialect: server.dialect,
    connection: { driver, url: url.href },
    openOrm: (options) => open(database, options),
    drop: () => administer(server.drop(database)),
  };
}
