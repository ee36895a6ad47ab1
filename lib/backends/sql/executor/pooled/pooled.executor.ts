import type { OpenTransaction, SqlExecutor } from '../sql-executor.js';
import { withSavepoints } from '../transaction.js';
import { joinTransaction } from './join-transaction.js';
import type { PooledDriver } from './pooled-driver.js';
import { lender } from './pooled-lender.js';
import type { RawPool } from './raw-pool.js';
import { sameDatabase } from './same-database.js';
import type { PooledFlavour } from './flavour.js';

export interface PooledExecutorOptions {
  readonly flavour: PooledFlavour;
  readonly driver: PooledDriver;
  readonly pool: RawPool;
  /** MikroORM's connection, the database of which the pool reaches too. */
  readonly connection: unknown;
  /** Longest wait for the answer to one statement, in milliseconds. */
  readonly commandTimeoutMs: number;
  readonly close: () => Promise<void>;
}

/** PostgreSQL, MySQL or MariaDB through a pool; statements go to the driver itself, with their values bound. */
export function pooledExecutor(options: PooledExecutorOptions): SqlExecutor {
  const { driver, flavour } = options;
  const lend = lender(options);
  const isSame = sameDatabase({ connection: options.connection, flavour, driver, lend });
  return {
    session: lend,
    async within({ connection, context }: OpenTransaction) {
      const statements = await joinTransaction(driver, context);
      if (statements === null || !(await isSame(connection, statements))) return null;
      await driver.assertSafe?.(statements);
      return withSavepoints(statements);
    },
    close: options.close,
  };
}
