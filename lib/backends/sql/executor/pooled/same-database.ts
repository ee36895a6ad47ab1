import type { Statements } from '../transaction.js';
import { flavourOf, type PooledFlavour } from './flavour.js';
import type { PooledDriver } from './pooled-driver.js';
import type { Lender } from './pooled-lender.js';

/** How long the queue's side waits for a connection to ask, in milliseconds. */
const ACQUIRE_TIMEOUT_MS = 10_000;

export interface SameDatabaseOptions {
  readonly connection: unknown;
  readonly flavour: PooledFlavour;
  readonly driver: PooledDriver;
  readonly lend: Lender;
}

/** Whether an application's connection is to the queue's database: the same object is, others are asked who they are. */
export function sameDatabase({ connection, flavour, driver, lend }: SameDatabaseOptions) {
  const asked = new WeakMap<object, boolean>();
  let own: string | undefined;

  const identityOf = async (statements: Statements): Promise<string> =>
    JSON.stringify((await statements.all(driver.identity))[0], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );

  return async (theirs: unknown, statements: Statements): Promise<boolean> => {
    if (theirs === connection) return true;
    if (typeof theirs !== 'object' || theirs === null || flavourOf(theirs) !== flavour) return false;
    const known = asked.get(theirs);
    if (known !== undefined) return known;
    own ??= await lend({ acquireTimeoutMs: ACQUIRE_TIMEOUT_MS }, identityOf);
    const same = (await identityOf(statements)) === own;
    asked.set(theirs, same);
    return same;
  };
}
