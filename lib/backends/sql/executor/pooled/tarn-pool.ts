import type { PoolLike } from '../mikro-orm.js';
import type { PooledDriver } from './pooled-driver.js';
import type { RawPool } from './raw-pool.js';

/** The pool of knex, which MikroORM 6 speaks through. `pool` answers undefined once knex was closed. */
export function tarnPool(
  pool: () => PoolLike | undefined,
  driver: PooledDriver,
  end: () => Promise<void>,
): RawPool {
  /** Whose each connection is: it goes back there while the pool waits for it in order to end. */
  const owners = new WeakMap<object, PoolLike>();
  return {
    ask() {
      const now = pool();
      if (now === undefined) {
        return { connection: Promise.reject(new Error('The pool was closed.')), leave: () => undefined };
      }
      const pending = now.acquire();
      const connection = (pending.promise as Promise<object>).then((raw) => {
        owners.set(raw, now);
        return raw;
      });
      return { connection, leave: () => pending.abort() };
    },
    giveBack(raw) {
      owners.get(raw)?.release(raw);
    },
    discard(raw, error) {
      // knex's pool asks for this mark before it lends a connection again, and makes a new one instead.
      Reflect.set(raw, '__knex__disposed', error ?? 'discarded');
      driver.hangUp(raw);
      owners.get(raw)?.release(raw);
    },
    end,
  };
}
