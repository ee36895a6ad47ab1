import {
  type FailureCause,
  type JobState,
  type NewJob,
  type RawHeader,
  type ReservedItem,
  type ReturnSettlement,
  type StoredFailedJob,
  type StoredJob,
  leaseSecondsOf,
} from '../../contract/index.js';
import type { SqlRow } from './executor/sql-executor.js';
import { SqlReceipt } from './sql-receipt.js';
import { type BodyOptions, decodeStoredBody, encodeStoredBody } from './stored-body.js';

/** A delay in whole milliseconds, rounded up: a delay is a floor. */
export function delayMsOf(delaySeconds: number): number {
  return Math.ceil(delaySeconds * 1_000);
}

/** Values of the insert statements. */
export interface JobColumns {
  readonly [name: string]: string | number | null;
}

export interface NewJobColumns extends JobColumns {
  readonly body: string;
}

/** The values of a new job, by the names that the insert statements have for them. */
export function columnsOf(
  { id, queue, delaySeconds, header, body }: NewJob,
  options: BodyOptions = {},
): NewJobColumns {
  const { rank, v, serial, attempts, deferrals, graceRounds, leaseSeconds, priority, uniqueKey } = header;
  const delayMs = delayMsOf(delaySeconds);
  return {
    id,
    queue,
    state: delayMs > 0 ? 1 : 0,
    delayMs,
    rank,
    v,
    serial,
    attempts,
    deferrals,
    graceRounds,
    leaseSeconds,
    priority,
    uniqueKey,
    body: encodeStoredBody(body, options),
  };
}

/** The queues that have more to do at once when these jobs are stored. */
export function readyQueuesOf(jobs: readonly NewJob[]): ReadonlySet<string> {
  return new Set(jobs.filter(({ delaySeconds }) => delaySeconds === 0).map(({ queue }) => queue));
}

/** The values of a delivery that goes back to its queue; null for what stays as it is. */
export function returnOf({ changes, delaySeconds }: ReturnSettlement): JobColumns {
  const delayMs = delayMsOf(delaySeconds);
  return {
    state: delayMs > 0 ? 1 : 0,
    delayMs,
    attempts: changes.attempts ?? null,
    deferrals: changes.deferrals ?? null,
    graceRounds: changes.graceRounds ?? null,
    rank: changes.rank ?? null,
  };
}

/** Some drivers give the digits of an integer column whose values may exceed what a number holds exactly. */
function numeric(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}

/** The header as it stands in a row; a rank above the priority counts for the round that a reservation begins. */
function rawHeaderOf(row: SqlRow, rank: unknown = row['priority']): RawHeader {
  return {
    v: numeric(row['v']),
    serial: numeric(row['serial']),
    attempts: numeric(row['attempts']),
    deferrals: numeric(row['deferrals']),
    graceRounds: numeric(row['grace_rounds']),
    leaseSeconds: row['lease_seconds'],
    priority: numeric(row['priority']),
    rank: numeric(rank),
    uniqueKey: row['unique_key'],
  };
}

const STATES: readonly JobState[] = ['ready', 'delayed', 'reserved'];

/** A row that is looked at; its `state` is the one by time. */
export function storedJobOf(row: SqlRow): StoredJob {
  const state = STATES[Number(row['state'])] ?? 'reserved';
  return {
    id: String(row['id']),
    queue: String(row['queue']),
    state,
    header: rawHeaderOf(row, state === 'reserved' ? row['priority'] : row['rank']),
    body: decodeStoredBody(row['body']),
    dueAt: state === 'ready' ? null : new Date(Number(row['due_at'])),
  };
}

export function storedFailedJobOf(row: SqlRow): StoredFailedJob {
  const stack = row['stack'];
  return {
    id: String(row['id']),
    queue: String(row['queue']),
    header: rawHeaderOf(row),
    body: decodeStoredBody(row['body']),
    failure: {
      cause: String(row['cause']) as FailureCause,
      error: String(row['error']),
      message: String(row['message']),
      stack: typeof stack === 'string' ? stack : null,
    },
    failedAt: new Date(Number(row['failed_at'])),
  };
}

/** What a reserved row is to the layers above; nothing in it is checked here. */
export function reservedItemOf(
  row: SqlRow,
  reservation: { readonly token: string; readonly leaseSeconds: number },
): ReservedItem {
  const queue = String(row['queue']);
  return {
    queue,
    receipt: new SqlReceipt(Number(row['seq']), reservation.token, queue),
    header: rawHeaderOf(row),
    body: decodeStoredBody(row['body']),
    leaseSeconds: leaseSecondsOf(row['lease_seconds'], reservation.leaseSeconds),
  };
}
