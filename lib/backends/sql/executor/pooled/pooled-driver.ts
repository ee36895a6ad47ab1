import type { Statements } from '../transaction.js';

/** What differs between the client libraries, on one of their raw connections. */
export interface PooledDriver {
  /** Opens a transaction in which each statement sees what was committed before it. */
  readonly begin: string;
  /** Answers one row that is the same wherever it is asked in one database, and differs between databases. */
  readonly identity: string;
  statements(raw: object): Statements;
  /** Settings of a connection of the queue's own; run once for each. */
  setUp(statements: Statements): Promise<void>;
  /**
   * Throws where a session of the application is set up so that the client library would not keep values and statement
   * apart.
   */
  assertSafe?(statements: Statements): Promise<void>;
  /**
   * Has a connection plan its prepared statements anew, from time to time; absent where it keeps no plans. A plan is made for
   * the size that a table has then, and a queue is often empty one second and holds a million jobs some seconds later:
   * the server's own statistics, which would have it plan anew, come a minute behind.
   */
  readonly forgetPlans?: string;
  /** Whether a connection is of no more use after this error of a statement. */
  endsConnection(error: unknown): boolean;
  /** Ends a connection at once, whatever it is doing; the server then rolls back what it had open. */
  hangUp(raw: object): void;
}
