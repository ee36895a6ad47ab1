import type { LedgerEntry } from '../ledger/entries.js';

/** The promises of docs/promises.md, and what a trial has to be for showing anything. */
export type Promised = 'P1' | 'P2' | 'P3' | 'P4' | 'P5' | 'P6' | 'P7' | 'trial';

/** Something that must not be, with the lines that show it. */
export interface Violation {
  /** A short fixed name, such as `lost`. */
  readonly rule: string;
  readonly promise: Promised;
  readonly text: string;
  readonly lines: readonly LedgerEntry[];
}

/** Why a job was delivered again: the causes of P4. */
export type Cause =
  | 'returned'
  | 'worker-died'
  | 'lease-ended'
  | 'settlement-unknown'
  | 'push-unknown'
  | 'retried'
  | 'connection-lost'
  | 'given-back'
  | 'service';

/** Jobs, counted by what became of them. */
export interface Counts {
  readonly attempted: number;
  readonly accepted: number;
  readonly handled: number;
  readonly lost: number;
  readonly unexpected: number;
  /** Handled more than once, or begun more than once. */
  readonly duplicated: number;
  /** A delivery of it was interrupted, and it came to its end all the same. */
  readonly recovered: number;
}

/** What the ledgers say. A trial is clean when there are no violations. */
export interface Verdict {
  readonly counts: Counts;
  /** How many second deliveries had which cause. */
  readonly causes: Readonly<Partial<Record<Cause, number>>>;
  readonly violations: readonly Violation[];
}
