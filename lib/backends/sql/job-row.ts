import type { NewJob, ReservedItem } from '../../contract/index.js';
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

function leaseSecondsOf(row: SqlRow, leaseSeconds: number): number {
  const own = row['lease_seconds'];
  return typeof own === 'number' && own > 0 ? own : leaseSeconds;
}

/** What a reserved row is to the layers above; nothing in it is checked here. */
export function reservedItemOf(
  row: SqlRow,
  reservation: { readonly queue: string; readonly token: string; readonly leaseSeconds: number },
): ReservedItem {
  return {
    queue: reservation.queue,
    receipt: new SqlReceipt(Number(row['seq']), reservation.token, reservation.queue),
    header: {
      v: row['v'],
      serial: row['serial'],
      attempts: row['attempts'],
      deferrals: row['deferrals'],
      graceRounds: row['grace_rounds'],
      leaseSeconds: row['lease_seconds'],
      priority: row['priority'],
      // A rank above the priority counts for one round, and this delivery is that round.
      rank: row['priority'],
      uniqueKey: row['unique_key'],
    },
    body: decodeStoredBody(row['body']),
    leaseSeconds: leaseSecondsOf(row, reservation.leaseSeconds),
  };
}
