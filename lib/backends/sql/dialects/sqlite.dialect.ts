import type { FailedJobsRetention, FailSettlement } from '../../../contract/index.js';
import type { SqlRow, SqlSession } from '../executor/sql-executor.js';
import { columnsOf, delayMsOf, returnOf } from '../job-row.js';
import type { SqlReceipt } from '../sql-receipt.js';
import { SQLITE_STATEMENTS } from '../sqlite-statements.generated.js';
import type { TableNames } from '../tables.js';
import { type CommonStatements, commonDialect, inOrder } from './common-dialect.js';
import { sqliteDurability } from './sqlite-durability.js';
import type { FencedSettlement, ReserveRequest, SqlDialect, SqlFailure } from './sql-dialect.js';
import { all, first, run, statementsOn } from './statement.js';

/** How many due rows one reserve brings back at most: SQLite has one writer, and the rest stays due for the next. */
export const PROMOTION_BATCH_SIZE = 100;

/** How many failed jobs above the retention one failure removes at most. */
const PRUNE_BATCH_SIZE = 100;

/**
 * SQLite from 3.42. Its clock is the machine's, which all processes on one file share. Without a retention a job that is
 * given up on is removed.
 */
export function sqliteDialect(tables: TableNames, retention: FailedJobsRetention | null): SqlDialect {
  const sql = statementsOn(SQLITE_STATEMENTS, tables);
  const common = commonDialect(sql);
  return {
    name: 'sqlite',
    ...common,
    hint: null,
    next: null,
    insert: (session, jobs) =>
      inOneStep(session, jobs, async (job) => (await run(session, sql.insert, columnsOf(job))) === 1),
    reserve: (session, request) => reserve(session, sql, request),
    settle: (session, settlements) =>
      inOneStep(session, settlements, (entry) => settle(session, sql, entry, retention)),
    async presentVersion(session) {
      const found = await all(session, sql.findSchema, { table: `${tables.prefix}schema` });
      return found.length === 0 ? 0 : common.schemaVersion(session);
    },
    exclusively: (session, work) => session.atomically(work),
    preparation: (owned) => (owned ? prepareOwn : null),
    advice,
    durability: async (session) => sqliteDurability(await first(session, sql.durability)),
    classify,
  };
}

/** SQLite answers within the process, so a loop of small statements costs no more than one large one. */
async function inOneStep<Entry, Result>(
  session: SqlSession,
  entries: readonly Entry[],
  step: (entry: Entry) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const inTurn = async (): Promise<Result[]> => {
    for (const entry of entries) results.push(await step(entry));
    return results;
  };
  return entries.length === 1 ? inTurn() : session.atomically(inTurn);
}

async function reserve(
  session: SqlSession,
  sql: CommonStatements,
  { queues, limit, token, leaseSeconds }: ReserveRequest,
): Promise<readonly SqlRow[]> {
  const found: SqlRow[] = [];
  for (const queue of queues) {
    try {
      const left = limit - found.length;
      found.push(...(await reserveFrom(session, sql, { queue, limit: left, token, leaseSeconds })));
    } catch (error) {
      // What earlier queues gave is leased by now and must not be lost; the next sweep meets the error again.
      if (found.length === 0) throw error;
      break;
    }
    if (found.length >= limit) break;
  }
  return found;
}

async function reserveFrom(
  session: SqlSession,
  sql: CommonStatements,
  request: Omit<ReserveRequest, 'queues'> & { readonly queue: string },
): Promise<readonly SqlRow[]> {
  const { queue } = request;
  const probe = await first(session, sql.probe, { queue });
  if (probe?.['due'] === 1) await run(session, sql.promote, { queue, limit: PROMOTION_BATCH_SIZE });
  else if (probe?.['ready'] !== 1) return [];
  if (probe['paused'] === 1) return [];
  return inOrder(await all(session, sql.reserve, { ...request }), [queue]);
}

async function prepareOwn(session: SqlSession): Promise<void> {
  await session.all('pragma journal_mode = wal');
  await session.run('pragma synchronous = normal');
}

async function advice(session: SqlSession): Promise<string | null> {
  const [row] = await session.all('pragma journal_mode');
  const mode = String(row?.['journal_mode']);
  if (mode === 'wal' || mode === 'memory') return null;
  return (
    `the SQLite file is in journal mode "${mode}", in which readers and writers of several processes stop each ` +
    'other. Run `pragma journal_mode = wal` on it once.'
  );
}

async function settle(
  session: SqlSession,
  sql: CommonStatements,
  { settlement, receipt }: FencedSettlement,
  retention: FailedJobsRetention | null,
): Promise<boolean> {
  const { seq, token } = receipt;
  switch (settlement.operation) {
    case 'fail':
      if (retention === null) return (await run(session, sql.remove, { seq, token })) === 1;
      return session.atomically(async () => {
        await keepFailed(session, sql, settlement, receipt, retention);
        return (await run(session, sql.remove, { seq, token })) === 1;
      });
    case 'ack':
      return (await run(session, sql.remove, { seq, token })) === 1;
    case 'release':
    case 'defer':
      return (await run(session, sql.return, { ...returnOf(settlement), seq, token })) === 1;
    case 'extend':
      return (await run(session, sql.extend, { ms: delayMsOf(settlement.seconds), seq, token })) === 1;
  }
}

/** Copies the row to the failed store, and lets go there of what the retention no longer covers. */
async function keepFailed(
  session: SqlSession,
  sql: CommonStatements,
  { failure }: FailSettlement,
  { seq, token, queue }: SqlReceipt,
  { maxAgeSeconds, maxCount }: FailedJobsRetention,
): Promise<void> {
  const { cause, error, message, stack } = failure;
  const kept = await run(session, sql.fail, { cause, error, message, stack, seq, token });
  if (kept === 0) return;
  await run(session, sql.pruneOldFailed, { maxAgeMs: maxAgeSeconds * 1_000, limit: PRUNE_BATCH_SIZE });
  await run(session, sql.pruneManyFailed, { queue, limit: PRUNE_BATCH_SIZE, maxCount });
}

/** SQLite's primary result codes, by the names that better-sqlite3 gives; node:sqlite gives numbers. */
const RESULT_CODES = new Map<number, string>([
  [5, 'SQLITE_BUSY'],
  [6, 'SQLITE_LOCKED'],
  [7, 'SQLITE_NOMEM'],
  [8, 'SQLITE_READONLY'],
  [9, 'SQLITE_INTERRUPT'],
  [10, 'SQLITE_IOERR'],
  [13, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [15, 'SQLITE_PROTOCOL'],
]);

function resultCodeOf(error: Error): string {
  if ('errcode' in error && typeof error.errcode === 'number') {
    return RESULT_CODES.get(error.errcode & 0xff) ?? 'SQLITE_ERROR';
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function classify(error: unknown): SqlFailure {
  if (!(error instanceof Error)) return 'defect';
  const code = resultCodeOf(error);
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'locked';
  if (/^SQLITE_(FULL|NOMEM|READONLY|INTERRUPT)/.test(code)) return 'refused';
  if (code.startsWith('SQLITE_CANTOPEN')) return 'unreachable';
  if (/^SQLITE_(IOERR|PROTOCOL)/.test(code)) return 'unknown';
  if (/no such (table|column)|has no column/.test(error.message)) return 'schema';
  // Both drivers say so by an error without a result code.
  if (/database (connection )?is not open/.test(error.message)) return 'unreachable';
  return 'defect';
}
