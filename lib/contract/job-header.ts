/** The version of the envelope that this code writes. */
export const ENVELOPE_VERSION = 1;

/** The `rank` of a deferred job: above every priority, for one round. */
export const DEFERRED_RANK = 1_000;

/**
 * The small mutable part of an envelope: columns in SQL, headers or attributes on brokers, a delimited prefix of the
 * member in Redis. A backend reads and writes these fields; it never parses the body.
 *
 * @publicApi
 */
export interface JobHeader {
  /** Version of the envelope. */
  readonly v: number;
  /** Raised by the backend at every transition and never reset, so that no two deliveries share a receipt. */
  readonly serial: number;
  /** Completed attempts: 0 before the first delivery. */
  readonly attempts: number;
  /** How often the job was deferred. */
  readonly deferrals: number;
  /** How often a delivery came back because today's code could not rebuild the job. */
  readonly graceRounds: number;
  /** Lease length of this job in seconds, null for the connection's. */
  readonly leaseSeconds: number | null;
  readonly priority: number;
  /**
   * What the queue is ordered by, highest first: the priority, or `DEFERRED_RANK` for the round after a deferral. The
   * reserve that delivers a job sets it back to `priority` in the same step, so that a lost lease does not keep it.
   */
  readonly rank: number;
  /** SHA-256 of the unique key as 64 hexadecimal digits, null without one. */
  readonly uniqueKey: string | null;
}

/** What a transition changes. Fields left out stay; the backend raises `serial` by itself. */
export type HeaderChanges = Partial<Pick<JobHeader, 'attempts' | 'deferrals' | 'graceRounds' | 'rank'>>;

/**
 * A header as it was read: any field may be missing or of any shape. null: nothing of it could be read. A backend leaves a
 * counter that is no integer of 0 or more as it is, instead of counting it into shape: the decoder refuses it. An unusable
 * `leaseSeconds` counts as none.
 */
export type RawHeader = { readonly [Field in keyof JobHeader]?: unknown } | null;

/** The lease of a job in seconds: its own where that can be used, else the connection's. */
export function leaseSecondsOf(own: unknown, leaseSeconds: number): number {
  return typeof own === 'number' && own > 0 ? own : leaseSeconds;
}

/** The header of a job that was never delivered. */
export function newHeader(fields: Pick<JobHeader, 'leaseSeconds' | 'priority' | 'uniqueKey'>): JobHeader {
  return {
    v: ENVELOPE_VERSION,
    serial: 0,
    attempts: 0,
    deferrals: 0,
    graceRounds: 0,
    rank: fields.priority,
    ...fields,
  };
}
