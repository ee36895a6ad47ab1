import type { Finding, JobState, NewJob, RetryOutcome, Settlement } from '../../../contract/index.js';
import type { GrantProbe } from '../diagnose/grant-probes.js';
import type { SqlRow, SqlSession } from '../executor/sql-executor.js';
import type { SqlReceipt } from '../sql-receipt.js';

/** What an error of a statement means. */
export type SqlFailure =
  /** Not applied: another connection was in the way. Worth trying again for a while. */
  | 'locked'
  /** Not applied, for a reason that passes. */
  | 'refused'
  /** Not applied: the database cannot be reached. */
  | 'unreachable'
  /** Applied or not, nobody knows. */
  | 'unknown'
  /** A table or column is missing. */
  | 'schema'
  /** Not applied: the database does not let this user do it. */
  | 'forbidden'
  /** A mistake of this code or of the stored data. */
  | 'defect';

export interface ReserveRequest {
  /** Looked at in this order. */
  readonly queues: readonly string[];
  readonly limit: number;
  readonly token: string;
  /** Lease of a job that names none. */
  readonly leaseSeconds: number;
}

/** A settlement whose receipt is known to be one of this backend. */
export interface FencedSettlement {
  readonly settlement: Settlement;
  readonly receipt: SqlReceipt;
}

/** Ends deliveries for good and reserves in one step; `removed` answers each in order, as `settle()` does. */
export type NextStep = (
  session: SqlSession,
  request: ReserveRequest,
  removals: readonly FencedSettlement[],
) => Promise<{ readonly rows: readonly SqlRow[]; readonly removed: readonly boolean[] }>;

export interface CountRow {
  readonly ready: number;
  readonly delayed: number;
  readonly reserved: number;
  readonly failed: number;
  readonly oldestMs: number | null;
  readonly paused: boolean;
}

/** Statements on the failed store. `seq` rises with each failed job. */
export interface FailedJobsDialect {
  /** Rows before `seq`, newest first, of one queue or of all. */
  list(session: SqlSession, queue: string | null, seq: number, limit: number): Promise<readonly SqlRow[]>;
  find(session: SqlSession, id: string): Promise<SqlRow | null>;
  /** Moves one back to its queue, in one step. */
  retry(session: SqlSession, seq: number): Promise<RetryOutcome>;
  forget(session: SqlSession, id: string): Promise<boolean>;
  /** Deletes up to `limit`, of one queue or of all, and says how many. */
  flush(session: SqlSession, queue: string | null, limit: number): Promise<number>;
}

export interface BrowsePosition {
  readonly queue: string;
  readonly state: JobState;
  /** Rows after this one. */
  readonly seq: number;
  readonly limit: number;
}

/** Statements that look at single jobs. A row's `state` is the one by time. */
export interface BrowseDialect {
  list(session: SqlSession, position: BrowsePosition): Promise<readonly SqlRow[]>;
  find(session: SqlSession, queue: string, id: string): Promise<SqlRow | null>;
  remove(session: SqlSession, queue: string, id: string): Promise<boolean>;
  promote(session: SqlSession, queue: string, id: string): Promise<boolean>;
}

/** How workers are told of work where the database passes that on. */
export interface HintDialect {
  readonly channel: string;
  /** Within a transaction it is passed on at the commit. */
  send(session: SqlSession, queue: string): Promise<void>;
}

/** All that differs by SQL flavour. Each method runs on one connection, and is one step where it writes. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'postgresql' | 'mysql';
  readonly failed: FailedJobsDialect;
  readonly browse: BrowseDialect;
  /** null where the database passes on nothing. */
  readonly hint: HintDialect | null;
  /**
   * Stores jobs in order; false for one whose unique key is taken. Where there are hints, those of the queues in `tell`
   * are sent in the same step.
   */
  insert(session: SqlSession, jobs: readonly NewJob[], tell?: Iterable<string>): Promise<readonly boolean[]>;
  /**
   * Brings a bounded number of due rows back and leases up to `limit` ready ones: queues in the order in which they are
   * named, each in its own order. An error after something was leased ends the step with what is leased by then.
   */
  reserve(session: SqlSession, request: ReserveRequest): Promise<readonly SqlRow[]>;
  /** Of one queue; null where it would be no quicker than one behind the other. */
  readonly next: NextStep | null;
  /** Settles in order; false for one whose reservation no longer holds its row. No receipt comes twice. */
  settle(session: SqlSession, settlements: readonly FencedSettlement[]): Promise<readonly boolean[]>;
  count(session: SqlSession, queue: string): Promise<CountRow>;
  queues(session: SqlSession): Promise<readonly string[]>;
  /** Discards up to `limit` ready or delayed jobs and says how many. */
  clear(session: SqlSession, queue: string, limit: number): Promise<number>;
  pause(session: SqlSession, queue: string): Promise<void>;
  resume(session: SqlSession, queue: string): Promise<void>;
  /** What shows whether the user may do what a role needs. */
  readonly grants: readonly GrantProbe[];
  /** The database's clock, in milliseconds since 1970. */
  now(session: SqlSession): Promise<number>;
  /** Version of the tables. Fails where there are none. */
  schemaVersion(session: SqlSession): Promise<number>;
  /** Version of the tables, 0 where there are none. */
  presentVersion(session: SqlSession): Promise<number>;
  /** Runs a migration while no other process runs one, all or none where the database can. */
  exclusively<T>(session: SqlSession, work: () => Promise<T>): Promise<T>;
  /**
   * What is to run once before anything else, on a database that is the queue's alone (`owned`) or the application's;
   * null for nothing.
   */
  preparation(owned: boolean): ((session: SqlSession) => Promise<void>) | null;
  /** What a connection of the application should be set to and is not, or null. */
  advice(session: SqlSession): Promise<string | null>;
  /** Whether what was committed outlives a crash, by the settings of the server. For whoever looks after it. */
  durability(session: SqlSession): Promise<readonly Finding[]>;
  classify(error: unknown): SqlFailure;
}
