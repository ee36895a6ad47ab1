import { QueueConfigurationException } from '../../../../contract/index.js';
import type { MikroOrmLike } from '../mikro-orm.js';
import type { PooledFlavour } from './flavour.js';

type Options = { readonly [name: string]: unknown };

/**
 * What the application gave as `driverOptions`.
 *
 * @throws QueueConfigurationException when it gave a client instead, of which no second pool can be made
 */
export function userOptions(orm: MikroOrmLike): Options {
  let given: unknown = orm.config?.get('driverOptions');
  if (typeof given === 'function' && !('context' in given)) given = given();
  if (given === undefined || given === null) return {};
  const client = clientIn(given);
  if (client === null) return given as Options;
  throw new QueueConfigurationException(
    `sql(): expected the driverOptions of the MikroORM to be options, of which the queue makes a pool of its own, came ${client}. ` +
      'Give sql() a `connection` to the same database instead of that MikroORM.',
  );
}

function clientIn(given: unknown): string | null {
  if (typeof given === 'function' || hasKey(given, 'context')) return 'a knex instance';
  if (hasKey(given, 'getExecutor') || hasKey(given, 'startTransaction')) return 'a Kysely instance';
  return hasKey(given, 'createDriver') ? 'a Kysely dialect' : null;
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && key in value;
}

/** knex writes each lost connection to the console; the queue tells of it by itself. */
export const QUIET = { warn: () => undefined, error: () => undefined };

/** The `driverOptions` of MikroORM 6, which it merges over those of the application. */
export function knexPoolOptions(user: Options, flavour: PooledFlavour, size: number): Options {
  return {
    // A lost server is told at once, not when the pool's own patience ends.
    pool: { min: 0, max: size, propagateCreateError: true },
    ...(user['log'] === undefined ? { log: QUIET } : {}),
    ...(flavour === 'mysql' ? { connection: mysqlOptions(user['connection']) } : {}),
  };
}

/** The `driverOptions` of MikroORM 7, which replace those of the application. A function, so that nothing is copied. */
export function nativePoolOptions(user: Options, flavour: PooledFlavour, size: number): () => Options {
  const pool =
    flavour === 'postgresql'
      ? { min: 0, max: size }
      : {
          connectionLimit: size,
          waitForConnections: true,
          queueLimit: 0,
          // A reset would undo what the queue set for its sessions.
          resetOnRelease: false,
          ...mysqlOptions(user),
        };
  return () => ({ ...user, ...pool });
}

/**
 * The character set goes with the login, and no time zone is asked for, which the queue does not need. What mariadb would
 * set by statements of its own, before it hands a connection out, nobody hears of when the server is lost meanwhile: that
 * would end the process. And a connection in another character set would put question marks in place of what it lacks.
 */
export const MYSQL_LOGIN = { charset: 'utf8mb4', timezone: 'local' };

/** Both drivers count matched rows, unless they are told otherwise. */
function mysqlOptions(user: unknown): Options {
  if (typeof user !== 'object' || user === null) return MYSQL_LOGIN;
  const foundRows: unknown = Reflect.get(user, 'foundRows');
  const flags: unknown = Reflect.get(user, 'flags');
  return {
    ...MYSQL_LOGIN,
    ...(foundRows === undefined ? {} : { foundRows: true }),
    ...(Array.isArray(flags) ? { flags: [...flags, 'FOUND_ROWS'] } : {}),
  };
}
