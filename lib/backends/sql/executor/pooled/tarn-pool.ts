import type { PoolLike } from '../mikro-orm.js';
import type { PooledDriver } from './pooled-driver.js';
import type { RawPool } from './raw-pool.js';

/** The pool of knex, which MikroORM 6 speaks through. `pool` answers undefined once knex was closed. */
export function tarnPool(
  pool: () => PoolLike | undefined,
  driver: PooledDriver,
  end: () => Promise<void>,
): RawPool {
  return {
    ask() {
      const now = pool();
      if (now === undefined) {
        return { connection: Promise.reject(new Error('The pool was closed.')), leave: () => undefined };
      }
      const pending = now.acquire();
      return { connection: pending.promise as Promise<object>, leave: () => pending.abort() };
    },
    giveBack(raw) {
      pool()?.release(raw);
    },
    discard(raw, error) {
      // knex's pool asks for this mark before it lends a connection again, and makes a new one instead.
      Reflect.set(raw, '__knex__disposed', error ?? 'discarded');
      driver.hangUp(raw);
      pool()?.release(raw);
    },
    end,
  };
}
