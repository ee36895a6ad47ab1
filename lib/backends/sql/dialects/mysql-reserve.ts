import type { SqlRow, SqlSession } from '../executor/sql-executor.js';
import { inOrder, isTrue } from './common-dialect.js';
import type { MysqlStatements } from './mysql.dialect.js';
import type { ReserveRequest } from './sql-dialect.js';
import { all, first, run } from './statement.js';

/** How many due rows of each kind one reserve brings back at most; the rest stays due for the next. */
const PROMOTION_BATCH_SIZE = 500;

/** Leases ready rows of the queues in one transaction, after what is due was brought back. */
export async function reserveOnMysql(
  session: SqlSession,
  sql: MysqlStatements,
  request: ReserveRequest,
): Promise<readonly SqlRow[]> {
  const open: string[] = [];
  for (const queue of request.queues) {
    const probe = await first(session, sql.probe, { queue });
    const isDue = isTrue(probe?.['due']);
    if (isDue) await promote(session, sql, queue);
    if (!isTrue(probe?.['paused']) && (isDue || isTrue(probe?.['ready']))) open.push(queue);
  }
  if (open.length === 0) return [];
  const rows = await lease(session, sql, request, open);
  // What others had in hand is passed over, and they may have taken all that was first in line.
  return inOrder(rows.length > 0 ? rows : await lease(session, sql, request, open), request.queues);
}

function promote(session: SqlSession, sql: MysqlStatements, queue: string): Promise<void> {
  return session.atomically(async () => {
    const seqs: number[] = [];
    for (const state of [1, 2]) {
      const due = await all(session, sql.pickDue, { queue, state, limit: PROMOTION_BATCH_SIZE });
      seqs.push(...due.map((row) => Number(row['seq'])));
    }
    if (seqs.length > 0) await run(session, sql.promote, { seqs });
  });
}

function lease(
  session: SqlSession,
  sql: MysqlStatements,
  { limit, token, leaseSeconds }: ReserveRequest,
  queues: readonly string[],
): Promise<readonly SqlRow[]> {
  return session.atomically(async () => {
    const rows: SqlRow[] = [];
    for (const queue of queues) {
      if (rows.length >= limit) break;
      rows.push(...(await all(session, sql.pickReady, { queue, limit: limit - rows.length })));
    }
    if (rows.length === 0) return rows;
    const seqs = rows.map((row) => Number(row['seq']));
    await run(session, sql.reserve, { seqs, token, leaseSeconds });
    // The rows were read before the step that raises their serial.
    return rows.map((row) => ({ ...row, serial: raised(row['serial']) }));
  });
}

/** As the statement raises it: what is no count stays as it is, for the decoder to refuse. */
function raised(serial: unknown): unknown {
  const count = Number(serial);
  return count >= 0 && count < Number.MAX_SAFE_INTEGER ? count + 1 : serial;
}
