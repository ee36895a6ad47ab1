/** A pool of raw driver connections: knex's, that of pg, or that of mysql2. */
export interface RawPool {
  /** Gets in line for a connection; `leave` gets out of it where the pool lets one. */
  ask(): { readonly connection: Promise<object>; leave(): void };
  giveBack(raw: object): void;
  /** Takes a connection out of the pool and ends it. */
  discard(raw: object, error: unknown): void;
  /** Ends all connections; to call it twice does nothing more. */
  end(): Promise<void>;
}
