import type { Capabilities } from './capabilities.js';
import type { QueueCounts } from './queue-counts.js';
import type { ReservedItem } from './reserved-item.js';
import type { SettleOutcome, Settlement } from './settlement.js';
import type { NewJob, StoreOptions, StoreOutcome } from './store.js';

/** How long, and for how many items, a backend may wait for work. */
export interface WaitOptions {
  /** Upper bound in milliseconds; the backend may return sooner, with or without work. */
  readonly timeoutMs: number;
  /** How many items may be returned at most. */
  readonly limit: number;
  /** Ends the wait early. What was reserved by then is still returned. */
  readonly signal: AbortSignal;
}

/**
 * What a backend implements. It stores bytes and answers with facts; it decodes nothing, decides nothing and never
 * retries. Names, delays and bodies that reach it have been checked.
 *
 * Errors: a method that throws a `QueueServerException` had trouble with its server; any other throw is a defect and
 * stops a worker. `store` and `settle` do not throw for their server: they answer it entry by entry.
 *
 * Optional parts: `ClearingBackend`, `FailedJobsBackend`, `BrowsingBackend`, `PausingBackend`, `ListingBackend`,
 * `ConsumingBackend`. A backend that has one implements its methods and says so in its capabilities.
 *
 * @publicApi
 */
export interface QueueBackend {
  /** The driver's name as the environment spells it, for messages: "memory", "sql", "redis". */
  readonly driver: string;
  readonly capabilities: Capabilities;
  /** Length in seconds of a lease that the job does not set itself; null, or absent, where there are no leases. */
  readonly leaseSeconds?: number | null;
  /** What fails is kept where the backend cannot list it, as in a dead-letter queue. Where `failedJobs` is `no`. */
  readonly keepsFailedElsewhere?: boolean;
  /**
   * A reserve of one queue is carried out after the settlements of its deliveries for which settle() was called before,
   * answered or not; but an ack that ends its delivery and nothing else may be carried out meanwhile. A worker of that
   * queue then asks for its next jobs without waiting for the answers, in the same turn of the event loop: a reserve has
   * to wait for a socket, or nothing else would come to its turn. It may be known only once the server was reached.
   */
  readonly settlesBeforeReserve?: boolean;
  /** Why the backend lacks something that others have: sentences for the error of whoever asks for it. */
  readonly whyNot?: { readonly clear?: string; readonly failedJobs?: string; readonly priority?: string };

  /**
   * Reaches the server and checks that it can be worked with (schema, permissions). A worker calls it at start; without
   * it a backend connects at first use. May be called again.
   */
  connect(): Promise<void>;

  /** Stores jobs; one outcome per entry, in order. */
  store(jobs: readonly NewJob[], options?: StoreOptions): Promise<readonly StoreOutcome[]>;

  /**
   * One immediate sweep: queues in the order given, at most `limit` items, never waiting for work. Each item is leased
   * in one atomic step, so two reserves never return the same delivery. An item that cannot be read is returned too.
   *
   * A reserve raises `serial`; of a job whose lease has ended it raises `attempts` too, where `countsCrashes`.
   */
  reserve(queues: readonly string[], limit: number): Promise<readonly ReservedItem[]>;

  /**
   * Waits until there may be work on `queues`. Resolves with what it reserved where waiting and receiving are one
   * operation (a long poll), else with nothing. Waking up without work is allowed, never waking before `timeoutMs` too.
   */
  waitForWork(queues: readonly string[], options: WaitOptions): Promise<readonly ReservedItem[]>;

  /** Settles or extends deliveries; one outcome per entry, in order. */
  settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]>;

  count(queue: string): Promise<QueueCounts>;

  /** Ends connections that the backend opened itself. Reservations stay as they are. May be called again. */
  close(): Promise<void>;
}

/** What the module hands to a backend function. */
export interface BackendContext {
  /** The connection's name. */
  readonly connection: string;
  /** A provider of the application by token, from wherever it is registered. Throws where there is none. */
  resolve<T>(token: unknown): T;
  /** Runs a job in this process and resolves when it ended; rejects with the job's own error. Serves `sync`. */
  runInline(job: NewJob): Promise<void>;
  /** For warnings of a backend about itself (configuration that loses jobs, a lost connection). */
  warn(message: string): void;
}

/** A backend as an application configures it: the result of `memory()`, `sql({ … })` or a function of its own. */
export type BackendFactory = (context: BackendContext) => QueueBackend | Promise<QueueBackend>;
