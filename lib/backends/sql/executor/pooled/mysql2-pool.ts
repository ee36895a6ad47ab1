import type { RawPool } from './raw-pool.js';

/** The pool of mysql2, as far as it is used here. */
export interface Mysql2Pool {
  getConnection(done: (error: Error | null, connection: Mysql2PoolConnection) => void): void;
  end(done: (error?: Error | null) => void): void;
}

interface Mysql2PoolConnection {
  release(): void;
  destroy(): void;
}

export function isMysql2Pool(pool: unknown): pool is Mysql2Pool {
  return typeof pool === 'object' && pool !== null && 'getConnection' in pool && 'end' in pool;
}

/** mysql2's pool, which MikroORM 7 speaks through. Nobody can leave its line: a late connection goes straight back. */
export function mysql2Pool(pool: Mysql2Pool): RawPool {
  return {
    ask: () => ({
      connection: new Promise((resolve, reject) => {
        pool.getConnection((error, connection) => {
          if (error === null || error === undefined) resolve(connection);
          else reject(error);
        });
      }),
      leave: () => undefined,
    }),
    giveBack(raw) {
      (raw as Mysql2PoolConnection).release();
    },
    discard(raw) {
      (raw as Mysql2PoolConnection).destroy();
    },
    end: () =>
      new Promise((resolve, reject) => {
        if (Reflect.get(pool, '_closed') === true) return resolve();
        pool.end((error) => (error === null || error === undefined ? resolve() : reject(error)));
      }),
  };
}
