import { knexOf, type MikroOrmLike } from '../mikro-orm.js';
import type { PooledFlavour } from './flavour.js';
import { nativePool } from './native-pool.js';
import { knexPoolOptions, nativePoolOptions, userOptions } from './pool-options.js';
import type { PooledDriver } from './pooled-driver.js';
import type { RawPool } from './raw-pool.js';
import { tarnPool } from './tarn-pool.js';

export interface PoolRequest {
  readonly orm: MikroOrmLike;
  readonly flavour: PooledFlavour;
  readonly driver: PooledDriver;
  /** The most connections that are open at once. */
  readonly size: number;
}

/** What MikroORM's connections of both versions have in common, as far as it is used here. */
interface OrmConnection {
  connect(options?: { readonly skipOnConnect: boolean }): Promise<void> | void;
  close(): Promise<void>;
}

type OrmConnectionClass = new (config: unknown, options: object, type: 'write') => OrmConnection;

/** A pool beside the application's, to the same database, so that neither can starve the other. Nothing is opened yet. */
export async function openOwnPool(request: PoolRequest): Promise<RawPool> {
  const { orm, flavour, driver } = request;
  const connection = orm.em.getConnection();
  const options = isVersion6(connection)
    ? knexPoolOptions(userOptions(orm), flavour, request.size)
    : nativePoolOptions(userOptions(orm), flavour, request.size);
  const own = anew(orm, connection, options);
  // MikroORM 7 would look whether the database is there, and make it, which is the application's to do.
  await own.connect({ skipOnConnect: true });
  return poolOf(own, driver, () => own.close());
}

/** The pool of a MikroORM that belongs to the queue alone. */
export function usePoolOf(orm: MikroOrmLike, driver: PooledDriver): Promise<RawPool> {
  return poolOf(orm.em.getConnection(), driver, () => Promise.resolve());
}

function poolOf(connection: unknown, driver: PooledDriver, close: () => Promise<void>): Promise<RawPool> {
  if (!isVersion6(connection)) return nativePool(connection);
  let ended: Promise<void> | undefined;
  return Promise.resolve(
    tarnPool(
      () => (ended === undefined ? knexOf(connection)?.client.pool : undefined),
      driver,
      () => (ended ??= close()),
    ),
  );
}

/** A second connection object of the same class, over the same configuration. */
function anew(orm: MikroOrmLike, connection: unknown, driverOptions: object): OrmConnection {
  const { constructor } = connection as { constructor: OrmConnectionClass };
  return new constructor(orm.config, { driverOptions }, 'write');
}

function isVersion6(connection: unknown): boolean {
  return typeof connection === 'object' && connection !== null && 'getKnex' in connection;
}
