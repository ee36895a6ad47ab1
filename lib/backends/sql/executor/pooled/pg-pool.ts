import type { RawPool } from './raw-pool.js';

/** The pool of pg, as far as it is used here. */
export interface PgPool {
  readonly ending: boolean;
  readonly ended: boolean;
  connect(): Promise<PgPoolClient>;
  end(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

interface PgPoolClient {
  release(error?: Error | boolean): void;
  readonly connection?: { readonly stream?: { destroy(): void } };
}

export function isPgPool(pool: unknown): pool is PgPool {
  return typeof pool === 'object' && pool !== null && 'ending' in pool && 'connect' in pool;
}

/** pg's pool, which MikroORM 7 speaks through. Nobody can leave its line: a late connection goes straight back. */
export function pgPool(pool: PgPool): RawPool {
  // The pool has taken the connection out by itself; without a listener the event would end the process.
  pool.on('error', () => undefined);
  return {
    ask: () => ({ connection: pool.connect(), leave: () => undefined }),
    giveBack(raw) {
      (raw as PgPoolClient).release();
    },
    discard(raw, error) {
      // The pool would say goodbye over it and wait for an answer.
      (raw as PgPoolClient).connection?.stream?.destroy();
      (raw as PgPoolClient).release(error instanceof Error ? error : true);
    },
    async end() {
      if (!pool.ending && !pool.ended) await pool.end();
    },
  };
}
