/**
 * What a board shows of an application's queues, and what it may do.
 *
 * @publicApi
 */
export interface BullBoardOptions {
  /** Only these connections; all without it. */
  readonly connections?: readonly string[];
  /** By connection, queues beside those that a listed job of it names: `{ ledger: ['invoices'] }`. */
  readonly queues?: Readonly<Record<string, readonly string[]>>;
  /** Shows, and changes nothing: no retry, no removal, no pause. Off without it. */
  readonly readOnly?: boolean;
  /** Shows a job's metadata too. Off without it: nothing says which of it is secret. */
  readonly showMetadata?: boolean;
  /** Longest text, in characters, that is shown of one value; a whole job shows at most ten times as much (1000). */
  readonly maxTextLength?: number;
  /** How long a backend may take to answer, in milliseconds (10000), before the board shows its queues without it. */
  readonly timeoutMs?: number;
}
