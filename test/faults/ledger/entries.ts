/** What can end a delivery, as the ledger names it. A give-back is a `defer`: neither spends an attempt. */
export type SettledOperation = 'ack' | 'release' | 'defer' | 'fail';

/**
 * What a trial does to whom, or a job to its worker.
 * - `killed`, `exited`: the process is gone.
 * - `stopped`, `blocked`: the process stands still until it is healed.
 * - `told-to-stop`, `forced-to-stop`: the first and the second signal.
 * - `server-killed`, `server-stopped`, `cut`, `stalled`, `half-open`, `slow`, `reply-dropped`: the wire, or what is behind it.
 * - `injected`: a call of the backend was made to fail.
 * - `clock-shifted`: the process sees another time of day.
 * - `lease-ended`: a lease was left to end on purpose. `settled-again`, `settled-crossed`: a delivery was settled that was not current.
 * - `poisoned`: something was stored that cannot succeed. `retried`: a failed job was put back.
 */
export type FaultName =
  | 'killed'
  | 'exited'
  | 'stopped'
  | 'blocked'
  | 'told-to-stop'
  | 'forced-to-stop'
  | 'server-killed'
  | 'server-stopped'
  | 'cut'
  | 'stalled'
  | 'half-open'
  | 'slow'
  | 'reply-dropped'
  | 'injected'
  | 'clock-shifted'
  | 'lease-ended'
  | 'settled-again'
  | 'settled-crossed'
  | 'poisoned'
  | 'retried';

/** What every entry says. `atUs` is the machine's monotonic clock, which all of its processes share and nobody can shift. */
export interface EntryFields {
  readonly atUs: number;
  /** Who wrote it: `trial`, `pusher`, `worker-1`. */
  readonly process: string;
}

/** A push: tried, and what its answer said. `job` is our own number, which stays when it is pushed again. */
export interface PushEntry extends EntryFields {
  readonly kind: 'push-try' | 'push-ok' | 'push-unknown' | 'push-refused';
  readonly job: number;
  /** What the queue calls it; only an accepted push knows. */
  readonly id?: string;
  readonly error?: string;
}

/** A handler began, came to its end (its effect is made), or is about to throw. */
export interface HandleEntry extends EntryFields {
  readonly kind: 'start' | 'end' | 'threw';
  readonly job: number;
  readonly id: string;
  readonly attempt: number;
}

/** What the worker was told about the settlement of a delivery. */
export interface SettleEntry extends EntryFields {
  readonly kind: 'settle-ok' | 'settle-stale' | 'settle-unknown';
  readonly id: string;
  readonly attempt: number;
  readonly operation: SettledOperation;
  /** Of a fail: why it was given up on. */
  readonly cause?: string;
}

/** Bytes that were no job came out of the queue. */
export interface MalformedEntry extends EntryFields {
  readonly kind: 'malformed';
}

/** A fault begins. It lasts until the `healed` entry with its number, and where there is none it is over at once. */
export interface FaultEntry extends EntryFields {
  readonly kind: 'fault';
  readonly fault: FaultName;
  /** Whom it touches: a process by name, `workers`, `pusher`, or `server` for everybody. */
  readonly of: string;
  readonly number: number;
  /** The delivery that it touches, where it is only one. */
  readonly id?: string;
  readonly attempt?: number;
  /** What was injected where, or how long. */
  readonly detail?: string;
}

export interface HealedEntry extends EntryFields {
  readonly kind: 'healed';
  readonly number: number;
}

/** A process began to work, or ended. */
export interface ProcessEntry extends EntryFields {
  readonly kind: 'up' | 'exit';
  readonly of: string;
  readonly code?: number | null;
  readonly signal?: string | null;
}

/** The event loop of the writer stood still for so long, until now. */
export interface LagEntry extends EntryFields {
  readonly kind: 'lag';
  readonly ms: number;
}

/** Something that no trial expects: a payload that changed, an error that is no trouble of the server. */
export interface DefectEntry extends EntryFields {
  readonly kind: 'defect';
  readonly text: string;
}

/** One line of a ledger. */
export type LedgerEntry =
  | PushEntry
  | HandleEntry
  | SettleEntry
  | MalformedEntry
  | FaultEntry
  | HealedEntry
  | ProcessEntry
  | LagEntry
  | DefectEntry;

export type EntryKind = LedgerEntry['kind'];

type WithoutStamp<Entry> = Entry extends LedgerEntry ? Omit<Entry, 'atUs' | 'process'> : never;

/** An entry before its writer put its name and the time on it. */
export type NewEntry = WithoutStamp<LedgerEntry>;
