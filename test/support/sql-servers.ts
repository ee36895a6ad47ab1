import type { MikroORM } from '@mikro-orm/core';
import { MikroORM as MariaDbOrm } from '@mikro-orm/mariadb';
import { MikroORM as MySqlOrm } from '@mikro-orm/mysql';
import { type AbstractSqlDriver, MikroORM as PostgreSqlOrm } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { SqlServerConnectionOptions } from '../../lib/sql.js';
import { isTested } from './servers.js';

/** Where a server of the tests is, and who may make databases there. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
}

/** The address in the environment variable, or a server of this machine that trusts it. */
function addressIn(variable: string, otherwise: ServerAddress): ServerAddress {
  const given = process.env[variable];
  if (given === undefined || given === '') return otherwise;
  const { hostname, port, username, password } = new URL(given);
  return {
    host: hostname,
    port: port === '' ? otherwise.port : Number(port),
    user: username === '' ? otherwise.user : decodeURIComponent(username),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
}

const POSTGRES = addressIn('KINETIS_TEST_POSTGRES_URL', { host: '127.0.0.1', port: 5432, user: 'postgres' });
const MARIADB = addressIn('KINETIS_TEST_MARIADB_URL', { host: '127.0.0.1', port: 3306, user: 'root' });

/** How a test reaches a server: the ORM's driver, the server that must be there, and the statements of its dialect. */
export interface ServerDriver {
  readonly name: 'postgresql' | 'mariadb' | 'mysql';
  readonly backend: 'postgres' | 'mariadb';
  readonly address: ServerAddress;
  /** The number of the connection that asks. */
  readonly ownId: string;
  /** A statement that takes so long. */
  sleep(seconds: number): string;
  /** Ends the connection of that number. */
  kill(id: number): string;
  readonly open: (options: object) => Promise<ServerOrm>;
}

/** A MikroORM over any of the drivers, as far as the tests need it. */
export type ServerOrm = MikroORM<AbstractSqlDriver>;

const COMMON = { entities: [], discovery: { warnWhenNoEntities: false } };

const ofMysql = {
  backend: 'mariadb',
  address: MARIADB,
  ownId: 'select connection_id() as id',
  sleep: (seconds: number) => `select sleep(${seconds}) as slept`,
  kill: (id: number) => `kill ${id}`,
} as const;

/** MariaDB is reached through the drivers of both MariaDB and MySQL. */
const drivers: readonly ServerDriver[] = [
  {
    name: 'postgresql',
    backend: 'postgres',
    address: POSTGRES,
    ownId: 'select pg_backend_pid() as id',
    sleep: (seconds) => `select pg_sleep(${seconds})`,
    kill: (id) => `select pg_terminate_backend(${id})`,
    open: (options) => PostgreSqlOrm.init({ ...COMMON, ...POSTGRES, ...options }),
  },
  {
    name: 'mariadb',
    ...ofMysql,
    open: (options) => MariaDbOrm.init({ ...COMMON, ...MARIADB, ...options }),
  },
  {
    name: 'mysql',
    ...ofMysql,
    open: (options) => MySqlOrm.init({ ...COMMON, ...MARIADB, ...options }),
  },
];

/** The drivers whose server this run tests. */
export function testedDrivers(): readonly ServerDriver[] {
  return drivers.filter(({ backend }) => isTested(backend));
}

/** That driver, whether its server is there or not. */
export function driverNamed(name: ServerDriver['name']): ServerDriver {
  const found = drivers.find((driver) => driver.name === name);
  if (found === undefined)
    throw new Error(`Expected a driver of test/support/sql-servers.ts, came "${name}".`);
  return found;
}

/** How the queue connects to a database of a shared server by itself. */
export function connectionTo({ name, address }: ServerDriver, database: string): SqlServerConnectionOptions {
  return { driver: name, ...address, database };
}

/** Makes an empty database, dropped when the test ends, whoever is still connected to it. `how` ends the statement. */
export async function newDatabase(driver: ServerDriver, how = ''): Promise<string> {
  const name = `kinetis_test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await administer(driver, `create database ${name} ${how}`);
  onTestFinished(() =>
    administer(driver, `drop database ${name}${driver.name === 'postgresql' ? ' with (force)' : ''}`),
  );
  return name;
}

/** Runs a statement over a connection of its own, in the server's own database unless another is named. */
export async function administer(driver: ServerDriver, sql: string, database?: string): Promise<void> {
  const orm = await driver.open({
    dbName: database ?? (driver.name === 'postgresql' ? 'postgres' : 'mysql'),
  });
  try {
    await orm.em.getConnection().execute(sql);
  } finally {
    await orm.close(true);
  }
}

/** An application's MikroORM over a database of a server, closed when the test ends. */
export async function openServerOrm(
  driver: ServerDriver,
  dbName: string,
  options: object = {},
): Promise<ServerOrm> {
  const orm = await driver.open({ dbName, ...options });
  onTestFinished(() => orm.close(true));
  return orm;
}
