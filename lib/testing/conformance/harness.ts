import type { Capabilities, QueueBackend } from '../../contract/index.js';

/**
 * What a harness can do beside opening a store. A case that needs a facility which is not listed is named as not
 * applicable.
 * - `clock`: `advance()` moves the store's time. Without it the suite waits in real time, with short leases.
 * - `storeRaw`: puts anything into the store, as a foreign writer would.
 * - `second`: opens the store a second time, as another process would; where the store is the process itself, gives
 *   another consumer of it.
 */
export type Facility = 'clock' | 'storeRaw' | 'second';

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
  /** Closes the backend and whatever `second()` opened. */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** The lease length that the backend is to be configured with. */
  readonly leaseSeconds: number;
}

/**
 * What the author of a backend implements to run the conformance suite.
 *
 * `open()` may hand out one shared store again and again: each case uses queue names of its own. Cases must not run at
 * the same time on a shared store whose clock they move.
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
  /** How long a case looks for a job that must be there by now, in milliseconds (3,000). */
  readonly patienceMs?: number;
  open(options: OpenOptions): Promise<OpenedStore>;
}
