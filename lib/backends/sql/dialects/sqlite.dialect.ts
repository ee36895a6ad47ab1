import type { FailedJobsRetention, FailSettlement, ReturnSettlement } from '../../../contract/index.js';
import type { SqlRow, SqlSession } from '../executor/sql-executor.js';
import { columnsOf, delayMsOf } from '../job-row.js';
import type { SqlReceipt } from '../sql-receipt.js';
import { SQLITE_STATEMENTS } from '../sqlite-statements.generated.js';
import { withTablePrefix } from '../tables.js';
import type {
  BrowseDialect,
  CountRow,
  FailedJobsDialect,
  FencedSettlement,
  SqlDialect,
  SqlFailure,
} from './sql-dialect.js';

/** How many due rows one reserve brings back at most: SQLite has one writer, and the rest stays due for the next. */
export const PROMOTION_BATCH_SIZE = 100;

/** How many failed jobs above the retention one failure removes at most. */
const PRUNE_BATCH_SIZE = 100;

type Statements = { readonly [Name in keyof typeof SQLITE_STATEMENTS]: string };

function statementsWith(prefix: string): Statements {
  const entries = Object.entries(SQLITE_STATEMENTS).map(([name, sql]) => [
    name,
    withTablePrefix(sql, prefix),
  ]);
  return Object.fromEntries(entries) as Statements;
}

/**
 * SQLite from 3.42. Its clock is the machine's, which all processes on one file share. Without a retention a job that is
 * given up on is removed.
 */
export function sqliteDialect(tablePrefix: string, retention: FailedJobsRetention | null): SqlDialect {
  const sql = statementsWith(tablePrefix);
  return {
    name: 'sqlite',
    failed: failedJobs(sql),
    browse: browse(sql),
    async insert(session, jobs) {
      const stored: boolean[] = [];
      for (const job of jobs) {
        const delayMs = delayMsOf(job.delaySeconds);
        const values = [job.id, job.queue, delayMs > 0 ? 1 : 0, delayMs, ...columnsOf(job)];
        stored.push((await session.run(sql.insert, values)) === 1);
      }
      return stored;
    },
    reserve: (session, request) => reserve(session, sql, request),
    async settle(session, settlements) {
      const applied: boolean[] = [];
      for (const entry of settlements) applied.push(await settle(session, sql, entry, retention));
      return applied;
    },
    count: (session, queue) => count(session, sql, queue),
    async queues(session) {
      const rows = await session.all(sql.queues);
      return rows.map((row) => String(row['queue']));
    },
    async clear(session, queue, limit) {
      const ready = await session.run(sql.clearReady, [queue, limit]);
      const delayed = ready < limit ? await session.run(sql.clearDelayed, [queue, limit - ready]) : 0;
      return ready + delayed;
    },
    async pause(session, queue) {
      await session.run(sql.pause, [queue]);
    },
    async resume(session, queue) {
      await session.run(sql.resume, [queue]);
    },
    async schemaVersion(session) {
      const [row] = await session.all(sql.schemaVersion);
      return Number(row?.['version'] ?? 0);
    },
    async prepareOwnConnection(session) {
      await session.all('pragma journal_mode = wal');
      await session.run('pragma synchronous = normal');
    },
    advice,
    classify,
  };
}

async function reserve(
  session: SqlSession,
  sql: Statements,
  request: { queue: string; limit: number; token: string; leaseSeconds: number },
): Promise<readonly SqlRow[]> {
  const { queue, limit, token, leaseSeconds } = request;
  const [probe] = await session.all(sql.probe, [queue, queue, queue]);
  if (probe?.['due'] === 1) await session.run(sql.promote, [queue, PROMOTION_BATCH_SIZE]);
  else if (probe?.['ready'] !== 1) return [];
  if (probe['paused'] === 1) return [];
  const rows = await session.all(sql.reserve, [token, leaseSeconds, queue, queue, limit]);
  return rows.toSorted(byRank);
}

async function count(session: SqlSession, sql: Statements, queue: string): Promise<CountRow> {
  const [row] = await session.all(sql.count, [queue, queue, queue, queue]);
  const oldestMs = row?.['oldest_ms'];
  return {
    ready: Number(row?.['ready']),
    delayed: Number(row?.['delayed']),
    reserved: Number(row?.['reserved']),
    failed: Number(row?.['failed']),
    oldestMs: typeof oldestMs === 'number' ? oldestMs : null,
    paused: row?.['paused'] === 1,
  };
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

function byRank(first: SqlRow, second: SqlRow): number {
  return Number(second['rank']) - Number(first['rank']) || Number(first['seq']) - Number(second['seq']);
}

async function settle(
  session: SqlSession,
  sql: Statements,
  { settlement, receipt }: FencedSettlement,
  retention: FailedJobsRetention | null,
): Promise<boolean> {
  switch (settlement.operation) {
    case 'fail':
      if (retention !== null) await keepFailed(session, sql, settlement, receipt, retention);
      return (await session.run(sql.remove, [receipt.seq, receipt.token])) === 1;
    case 'ack':
      return (await session.run(sql.remove, [receipt.seq, receipt.token])) === 1;
    case 'release':
    case 'defer':
      return (await session.run(sql.return, returnValues(settlement, receipt))) === 1;
    case 'extend': {
      const values = [delayMsOf(settlement.seconds), receipt.seq, receipt.token];
      return (await session.run(sql.extend, values)) === 1;
    }
  }
}

/** Copies the row to the failed store, and lets go there of what the retention no longer covers. */
async function keepFailed(
  session: SqlSession,
  sql: Statements,
  { failure }: FailSettlement,
  { seq, token, queue }: SqlReceipt,
  { maxAgeSeconds, maxCount }: FailedJobsRetention,
): Promise<void> {
  const { cause, error, message, stack } = failure;
  const kept = await session.run(sql.fail, [cause, error, message, stack, seq, token]);
  if (kept === 0) return;
  await session.run(sql.pruneOldFailed, [maxAgeSeconds * 1_000, PRUNE_BATCH_SIZE]);
  await session.run(sql.pruneManyFailed, [queue, PRUNE_BATCH_SIZE, maxCount]);
}

function failedJobs(sql: Statements): FailedJobsDialect {
  return {
    list: (session, queue, seq, limit) =>
      queue === null
        ? session.all(sql.listFailed, [seq, limit])
        : session.all(sql.listFailedOfQueue, [queue, seq, limit]),
    async find(session, id) {
      const [row] = await session.all(sql.findFailed, [id]);
      return row ?? null;
    },
    async retry(session, seq) {
      if ((await session.run(sql.retryFailed, [seq])) === 1) {
        await session.run(sql.removeFailed, [seq]);
        return 'retried';
      }
      return 'duplicate';
    },
    forget: async (session, id) => (await session.run(sql.forgetFailed, [id])) > 0,
    flush: (session, queue, limit) =>
      queue === null
        ? session.run(sql.flushFailed, [limit])
        : session.run(sql.flushFailedOfQueue, [queue, limit]),
  };
}

function browse(sql: Statements): BrowseDialect {
  return {
    list: (session, { queue, state, seq, limit }) =>
      state === 'ready'
        ? session.all(sql.browseReady, [queue, seq, queue, seq, limit])
        : session.all(sql.browseWaiting, [queue, state === 'delayed' ? 1 : 2, seq, limit]),
    async find(session, queue, id) {
      const [row] = await session.all(sql.findJob, [id, queue]);
      return row ?? null;
    },
    remove: async (session, queue, id) => (await session.run(sql.removeJob, [id, queue])) > 0,
    promote: async (session, queue, id) => (await session.run(sql.promoteJob, [id, queue])) > 0,
  };
}

function returnValues(
  { changes, delaySeconds }: ReturnSettlement,
  { seq, token }: SqlReceipt,
): readonly (string | number | null)[] {
  const delayMs = delayMsOf(delaySeconds);
  return [
    delayMs > 0 ? 1 : 0,
    delayMs,
    changes.attempts ?? null,
    changes.deferrals ?? null,
    changes.graceRounds ?? null,
    changes.rank ?? null,
    seq,
    token,
  ];
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
