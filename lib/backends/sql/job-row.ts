import {
  type FailureCause,
  type JobState,
  type NewJob,
  type RawHeader,
  type ReservedItem,
  type StoredFailedJob,
  type StoredJob,
  leaseSecondsOf,
} from '../../contract/index.js';
import type { SqlRow, SqlValue } from './executor/sql-executor.js';
import { SqlReceipt } from './sql-receipt.js';
import { decodeStoredBody, encodeStoredBody } from './stored-body.js';

/** A delay in whole milliseconds, rounded up: a delay is a floor. */
export function delayMsOf(delaySeconds: number): number {
  return Math.ceil(delaySeconds * 1_000);
}

/** The columns of a new job after id, queue, state and delay, in the order of the insert statements. */
export function columnsOf({ header, body }: NewJob): readonly SqlValue[] {
  return [
    header.rank,
    header.v,
    header.serial,
    header.attempts,
    header.deferrals,
    header.graceRounds,
    header.leaseSeconds,
    header.priority,
    header.uniqueKey,
    encodeStoredBody(body),
  ];
}

/** The header as it stands in a row; a rank above the priority counts for the round that a reservation begins. */
function rawHeaderOf(row: SqlRow, rank: unknown = row['priority']): RawHeader {
  return {
    v: row['v'],
    serial: row['serial'],
    attempts: row['attempts'],
    deferrals: row['deferrals'],
    graceRounds: row['grace_rounds'],
    leaseSeconds: row['lease_seconds'],
    priority: row['priority'],
    rank,
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
  reservation: { readonly queue: string; readonly token: string; readonly leaseSeconds: number },
): ReservedItem {
  return {
    queue: reservation.queue,
    receipt: new SqlReceipt(Number(row['seq']), reservation.token, reservation.queue),
    header: rawHeaderOf(row),
    body: decodeStoredBody(row['body']),
    leaseSeconds: leaseSecondsOf(row['lease_seconds'], reservation.leaseSeconds),
  };
}
