/** A list is bound as an array where the database has arrays, and stands for the values of `in (?)` where it has none. */
export type SqlValue = string | number | null | Uint8Array | readonly (string | number | null)[];

/** A row as the driver gives it, by column name. */
export type SqlRow = { readonly [column: string]: unknown };

/** Statements on one connection. Values are bound, never written into the text. */
export interface SqlSession {
  /** Runs a statement and says how many rows it changed. */
  run(sql: string, values?: readonly SqlValue[]): Promise<number>;
  all(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /**
   * Runs statements all or none: when the work rejects, nothing of it was applied. Where the session is in a transaction
   * already the work joins it, and then only its own part is taken back.
   */
  atomically<T>(work: () => Promise<T>): Promise<T>;
}

export interface HoldOptions {
  /** How long to wait for a connection before the work is given up, in milliseconds. */
  readonly acquireTimeoutMs: number;
}

/**
 * How the backend reaches a database. Work that could not get a connection in time rejects with `AcquireFailed` and
 * never runs; any other rejection comes from the statements themselves.
 */
export interface SqlExecutor {
  /** Runs work on one connection, outside any transaction, the application's too. */
  session<T>(options: HoldOptions, work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Statements within a transaction that the application opened; null when it is on another database. */
  within(transaction: OpenTransaction): Promise<SqlSession | null>;
  /** Ends connections that were opened for this executor alone. */
  close(): Promise<void>;
}

/** A transaction of the application, as far as an executor needs it. */
export interface OpenTransaction {
  readonly connection: unknown;
  readonly context: object;
}
