import type { RawHeader } from './job-header.js';
import type { Receipt } from './settlement.js';

/** One item that a reserve took, exactly as it is stored: nothing in it has been checked. */
export interface ReservedItem {
  /** The name of the queue that was asked for, not one that the item claims. */
  readonly queue: string;
  readonly receipt: Receipt;
  readonly header: RawHeader;
  /** The body's text, or the raw bytes where they are no text. */
  readonly body: string | Uint8Array;
  /** Length in seconds of the lease that this reservation got, null where there are no leases. */
  readonly leaseSeconds: number | null;
  /**
   * Aborts when the delivery was lost before it was settled, because the channel that it came by was closed: its server
   * delivers the job again. One signal may serve all deliveries of a channel. Left out where a delivery outlives the
   * connection.
   */
  readonly lost?: AbortSignal | undefined;
}
