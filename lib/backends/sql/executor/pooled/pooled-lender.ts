import { AcquireFailed } from '../acquire-failed.js';
import type { SqlSession } from '../sql-executor.js';
import { type Statements, withTransactions } from '../transaction.js';
import { acquireRaw, lost } from './acquire-raw.js';
import type { PooledDriver } from './pooled-driver.js';
import type { RawPool } from './raw-pool.js';

/** Lends a session on one connection for as long as the work runs. */
export type Lender = <T>(
  options: { readonly acquireTimeoutMs: number },
  work: (session: SqlSession) => Promise<T>,
) => Promise<T>;

export interface LenderOptions {
  readonly pool: RawPool;
  readonly driver: PooledDriver;
  /** Longest wait for the answer to one statement, in milliseconds. */
  readonly commandTimeoutMs: number;
}

/** How long a connection keeps its plans, in milliseconds. */
const PLANS_LAST_MS = 1_000;

/** A connection on which something failed for good never goes back into the pool. */
export function lender({ pool, driver, commandTimeoutMs }: LenderOptions): Lender {
  /** The connections that were set up, and when each last made its plans. */
  const known = new WeakMap<object, number>();

  async function take(timeoutMs: number): Promise<object> {
    const raw = await acquireRaw(pool, timeoutMs);
    if (known.has(raw)) return raw;
    listenToErrors(raw);
    try {
      await driver.setUp(watch(driver.statements(raw), driver, commandTimeoutMs).statements);
    } catch (error) {
      pool.discard(raw, error);
      throw lost(error);
    }
    known.set(raw, performance.now());
    return raw;
  }

  /** Nobody waits for this: who had the connection has an answer. */
  async function giveBack(raw: object): Promise<void> {
    const { forgetPlans } = driver;
    if (forgetPlans !== undefined && performance.now() - (known.get(raw) ?? 0) > PLANS_LAST_MS) {
      known.set(raw, performance.now());
      try {
        await inTime(driver.statements(raw).run(forgetPlans), commandTimeoutMs);
      } catch (error) {
        return pool.discard(raw, error);
      }
    }
    pool.giveBack(raw);
  }

  return async ({ acquireTimeoutMs }, work) => {
    const raw = await take(acquireTimeoutMs);
    const watched = watch(driver.statements(raw), driver, commandTimeoutMs);
    try {
      return await work(withTransactions(watched.statements, { begin: driver.begin }));
    } finally {
      watched.end();
      const failure = watched.failure();
      if (failure === undefined) void giveBack(raw);
      else pool.discard(raw, failure.error);
    }
  };
}

/** A driver tells of a connection that broke by an event, too; without a listener it would end the process. */
export function listenToErrors(raw: object): void {
  const on: unknown = Reflect.get(raw, 'on');
  if (typeof on === 'function') on.call(raw, 'error', () => undefined);
}

interface Watched {
  readonly statements: Statements;
  /** Why the connection is of no more use, undefined while it is. */
  failure(): { readonly error: unknown } | undefined;
  /** Refuses statements from now on: the connection is about to be another's. */
  end(): void;
}

function watch(statements: Statements, driver: PooledDriver, timeoutMs: number): Watched {
  let failure: { readonly error: unknown } | undefined;
  let ended = false;
  const guarded = async <T>(sql: string, statement: () => Promise<T>): Promise<T> => {
    if (ended) throw new AcquireFailed('lost', 'The connection was given back: its work has ended.');
    // Also the rollback of what failed: a connection that has gone silent would be waited for twice.
    if (failure !== undefined) throw failure.error;
    try {
      return await inTime(statement(), timeoutMs);
    } catch (error) {
      // After a rollback that failed nobody knows what is still open.
      if (sql === 'rollback' || driver.endsConnection(error)) failure ??= { error };
      throw error;
    }
  };
  return {
    statements: {
      run: (sql, values) => guarded(sql, () => statements.run(sql, values)),
      all: (sql, values) => guarded(sql, () => statements.all(sql, values)),
    },
    failure: () => failure,
    end() {
      ended = true;
    },
  };
}

/** Rejects when no answer comes in time; what comes later reaches nobody. */
async function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A server or a network that has gone silent. It has a code, as errors of the transport have. */
class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(timeoutMs: number) {
    super(`The database gave no answer for ${timeoutMs} ms.`);
  }
}
