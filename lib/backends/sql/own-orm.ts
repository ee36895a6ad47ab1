import { resolve } from 'node:path';
import { isMikroOrm, type MikroOrmLike } from './executor/mikro-orm.js';
import { MYSQL_LOGIN, QUIET } from './executor/pooled/pool-options.js';
import type { OrmInit } from './import-driver.js';
import type { SqlServerConnectionOptions } from './sql-connection.options.js';

interface OwnOrm {
  readonly orm: Promise<MikroOrmLike>;
  users: number;
}

/**
 * MikroORMs that this process opened, by file. Two connections of one process to one SQLite file would stop its event
 * loop while they wait for each other, so backends on one file share one.
 */
const openFiles = new Map<string, OwnOrm>();

export interface OwnOrmLease {
  readonly orm: MikroOrmLike;
  /** Closes the MikroORM when nobody else uses it. */
  release(): Promise<void>;
}

async function open(init: OrmInit, options: object): Promise<MikroOrmLike> {
  const orm = await init({ entities: [], discovery: { warnWhenNoEntities: false }, ...options });
  if (!isMikroOrm(orm)) throw new TypeError('sql(): expected MikroORM.init() to give a MikroORM.');
  return orm;
}

/** Opens a file, or joins those who use it already. */
export async function leaseOwnOrm(init: OrmInit, file: string): Promise<OwnOrmLease> {
  const key = file === ':memory:' ? Symbol('memory').toString() + Math.random() : resolve(file);
  let own = openFiles.get(key);
  if (own === undefined) {
    own = { orm: open(init, { dbName: file, pool: { min: 1, max: 1 } }), users: 0 };
    openFiles.set(key, own);
  }
  const shared = own;
  shared.users += 1;
  const release = async (): Promise<void> => {
    shared.users -= 1;
    if (shared.users > 0) return;
    if (openFiles.get(key) === shared) openFiles.delete(key);
    await (await shared.orm).close(true);
  };
  try {
    return { orm: await shared.orm, release };
  } catch (error) {
    shared.users -= 1;
    if (openFiles.get(key) === shared) openFiles.delete(key);
    throw error;
  }
}

/** A MikroORM on a server, for the queue alone. No connection is opened yet. */
export async function openServerOrm(
  init: OrmInit,
  connection: SqlServerConnectionOptions,
  poolSize: number,
): Promise<OwnOrmLease> {
  const { driver, url, host, port, user, password, database } = connection;
  const ssl = driver === 'mysql' ? mysql2Ssl(connection.ssl) : connection.ssl;
  const given = { clientUrl: url, host, port, user, password, dbName: database ?? databaseOf(url) };
  const orm = await open(init, {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    connect: false,
    pool: { min: 0, max: poolSize },
    driverOptions: driverOptionsOf(init, driver, ssl),
  });
  return { orm, release: () => orm.close(true) };
}

/**
 * mysql2 takes no `true`, and leaves the server's name unchecked unless it is asked: whoever has a certificate of any name
 * could stand between.
 */
function mysql2Ssl(ssl: SqlServerConnectionOptions['ssl']): object | undefined {
  if (ssl === undefined || ssl === false) return undefined;
  const given = ssl === true ? {} : ssl;
  return { verifyIdentity: Reflect.get(given, 'rejectUnauthorized') !== false, ...given };
}

/** MikroORM 6 hands them to knex, 7 to the driver itself. */
function driverOptionsOf(
  { major }: OrmInit,
  driver: SqlServerConnectionOptions['driver'],
  ssl: SqlServerConnectionOptions['ssl'],
): object {
  const connection = {
    ...(driver === 'postgresql' ? {} : MYSQL_LOGIN),
    ...(ssl === undefined ? {} : { ssl }),
  };
  return major === 6 ? { log: QUIET, connection } : connection;
}

function databaseOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : decodeURIComponent(new URL(url).pathname.slice(1));
}
