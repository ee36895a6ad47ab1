import type { Capabilities, QueueBackend } from '../../contract/index.js';

/**
 * What a harness can do beside opening a store. A case that needs a facility which is not listed is named as not
 * applicable.
 * - `clock`: `advance()` moves the store's time. Without it the suite waits in real time, with short leases.
 * - `storeRaw`: puts anything into the store, as a foreign writer would.
 * - `second`: opens the store a second time, as another process would; where the store is the process itself, gives
 *   another consumer of it.
 * - `disconnect`: closes the backend's connection, or its channels, from the server's side or on the way.
 * - `silence`: keeps the next request of the backend from being answered.
 * - `silenceAck`: an ack too. Left out where the server answers none, so that nobody can miss the answer.
 * - `refuse`: lets the server refuse one entry of the next batch.
 */
export type Facility = 'clock' | 'storeRaw' | 'second' | 'disconnect' | 'silence' | 'silenceAck' | 'refuse';

/** Something that no push would write: a header of any shape, a body of any bytes. */
export interface RawItem {
  readonly queue: string;
  /** Field by field; null: a header of which nothing can be read. */
  readonly header: { readonly [field: string]: unknown } | null;
  readonly body: string | Uint8Array;
}

/** A store that was opened for one case, and the handles that the case works it with. */
export interface OpenedStore {
  readonly backend: QueueBackend;
  /** Moves the store's time forward. Facility `clock`. */
  advance?(seconds: number): void | Promise<void>;
  /** Stores an item as ready. Facility `storeRaw`. */
  storeRaw?(item: RawItem): Promise<void>;
  /** Another backend on the same store, closed by the harness together with the store. Facility `second`. */
  second?(): Promise<QueueBackend>;
  /** Cuts the backend off; it may connect again by itself. Resolves when the server has noticed. Facility `disconnect`. */
  disconnect?(): Promise<void>;
  /**
   * The next request that stores or settles something is lost on its way to the server (nothing is applied), or its
   * answer is (it is applied). Facility `silence`.
   */
  silence?(lost: 'request' | 'answer'): Promise<void>;
  /** The entry at this place of the next request that stores or settles is refused alone. Facility `refuse`. */
  refuse?(entry: number): Promise<void>;
  /** Closes the backend and whatever `second()` opened. */
  close(): Promise<void>;
}

/** How the suite wants a store to be opened. */
export interface OpenOptions {
  /** The lease length that the backend is to be configured with. */
  readonly leaseSeconds: number;
}

/**
 * What the author of a backend implements to run the conformance suite.
 *
 * `open()` may hand out one shared store again and again, and may take its time: the suite waits for it, so bound a
 * test's own timeout generously. Each case uses queue names of its own, but for one that needs names like "select"; it
 * acknowledges what an earlier run left there. Runs at the same time on one server therefore want a prefix each. Cases
 * must not run at the same time on a shared store whose clock they move.
 *
 * @publicApi
 */
export interface ConformanceHarness {
  /** The backend's name, for reports. */
  readonly name: string;
  /** What the backend says of itself; the suite checks that an opened backend says the same. */
  readonly capabilities: Capabilities;
  readonly facilities: readonly Facility[];
  /**
   * Kinds of malformed items (see `malformedKinds`) that this store itself refuses to hold, such as text in an integer
   * column. Their cases are named as not applicable.
   */
  readonly cannotHold?: readonly string[];
  /**
   * The lease that cases wait for where nobody can move the store's time, in seconds (3). Longer where a request takes
   * long, or the store keeps time in whole seconds: a case makes some requests before the end of a lease, and the least
   * that it leaves them is a sixth of it.
   */
  readonly realLeaseSeconds?: number;
  /** How long a case looks for a job that must be there by now, in milliseconds (3,000). */
  readonly patienceMs?: number;
  open(options: OpenOptions): Promise<OpenedStore>;
}
