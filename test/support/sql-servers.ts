import type { MikroORM } from '@mikro-orm/core';
import { MikroORM as MariaDbOrm } from '@mikro-orm/mariadb';
import { MikroORM as MySqlOrm } from '@mikro-orm/mysql';
import { type AbstractSqlDriver, MikroORM as PostgreSqlOrm } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { isTested } from './servers.js';

/** How a test reaches a server: the ORM's driver, the server that must be there, and the statements of its dialect. */
export interface ServerDriver {
  readonly name: 'postgresql' | 'mariadb' | 'mysql';
  readonly backend: 'postgres' | 'mariadb';
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
  ownId: 'select connection_id() as id',
  sleep: (seconds: number) => `select sleep(${seconds}) as slept`,
  kill: (id: number) => `kill ${id}`,
} as const;

/** MariaDB is reached through the drivers of both MariaDB and MySQL. */
const drivers: readonly ServerDriver[] = [
  {
    name: 'postgresql',
    backend: 'postgres',
    ownId: 'select pg_backend_pid() as id',
    sleep: (seconds) => `select pg_sleep(${seconds})`,
    kill: (id) => `select pg_terminate_backend(${id})`,
    open: (options) => PostgreSqlOrm.init({ ...COMMON, host: '127.0.0.1', user: 'postgres', ...options }),
  },
  {
    name: 'mariadb',
    ...ofMysql,
    open: (options) => MariaDbOrm.init({ ...COMMON, host: '127.0.0.1', user: 'root', ...options }),
  },
  {
    name: 'mysql',
    ...ofMysql,
    open: (options) => MySqlOrm.init({ ...COMMON, host: '127.0.0.1', user: 'root', ...options }),
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
