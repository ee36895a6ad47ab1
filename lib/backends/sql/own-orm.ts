import { resolve } from 'node:path';
import { QueueUnavailableException } from '../../contract/index.js';
import { isMikroOrm, type MikroOrmLike } from './executor/mikro-orm.js';

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

/** Loads MikroORM's driver. Throws `QueueUnavailableException` when it is not installed. */
export async function importBetterSqlite(): Promise<(options: object) => Promise<unknown>> {
  try {
    const { BetterSqliteDriver, MikroORM } = await import('@mikro-orm/better-sqlite');
    return (options) => MikroORM.init({ driver: BetterSqliteDriver, ...options });
  } catch (error) {
    throw new QueueUnavailableException(
      'sql(): expected @mikro-orm/better-sqlite for a file of its own; it cannot be loaded. Install it: ' +
        'npm install @mikro-orm/core@6.6.16 @mikro-orm/better-sqlite@6.6.16',
      { cause: error },
    );
  }
}

async function open(init: (options: object) => Promise<unknown>, file: string): Promise<MikroOrmLike> {
  const orm = await init({
    dbName: file,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 1, max: 1 },
  });
  if (!isMikroOrm(orm)) throw new TypeError('sql(): expected MikroORM.init() to give a MikroORM.');
  return orm;
}

/** Opens a file, or joins those who use it already. */
export async function leaseOwnOrm(
  init: (options: object) => Promise<unknown>,
  file: string,
): Promise<OwnOrmLease> {
  const key = file === ':memory:' ? Symbol('memory').toString() + Math.random() : resolve(file);
  let own = openFiles.get(key);
  if (own === undefined) {
    own = { orm: open(init, file), users: 0 };
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
