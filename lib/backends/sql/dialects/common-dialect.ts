import { grantProbes } from '../diagnose/grant-probes.js';
import type { SqlRow, SqlSession } from '../executor/sql-executor.js';
import type { BrowseDialect, CountRow, FailedJobsDialect, SqlDialect } from './sql-dialect.js';
import { all, first, run, type Statement, type StatementName } from './statement.js';

/** The statements that every dialect has under these names, with these values. */
export type CommonStatements = { readonly [Name in StatementName]: Statement };

type CommonDialect = Pick<
  SqlDialect,
  'failed' | 'browse' | 'count' | 'queues' | 'clear' | 'pause' | 'resume' | 'schemaVersion' | 'grants' | 'now'
>;

/** What is the same in every dialect but for the words of its statements. */
export function commonDialect(sql: CommonStatements): CommonDialect {
  return {
    failed: failedJobs(sql),
    browse: browse(sql),
    count: (session, queue) => count(session, sql, queue),
    queues: async (session) => (await all(session, sql.queues)).map((row) => String(row['queue'])),
    async clear(session, queue, limit) {
      const ready = await run(session, sql.clearReady, { queue, limit });
      if (ready >= limit) return ready;
      return ready + (await run(session, sql.clearDelayed, { queue, limit: limit - ready }));
    },
    async pause(session, queue) {
      await run(session, sql.pause, { queue });
    },
    async resume(session, queue) {
      await run(session, sql.resume, { queue });
    },
    grants: grantProbes(sql),
    now: async (session) => Number((await first(session, sql.now))?.['now']),
    schemaVersion: async (session) => Number((await first(session, sql.schemaVersion))?.['version'] ?? 0),
  };
}

/** Puts the rows of one reserve in the order in which they are to be handed out. */
export function inOrder(rows: readonly SqlRow[], queues: readonly string[]): readonly SqlRow[] {
  const place = new Map(queues.map((queue, index) => [queue, index]));
  const placeOf = (row: SqlRow): number => place.get(String(row['queue'])) ?? 0;
  return rows.toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) || Number(b['rank']) - Number(a['rank']) || Number(a['seq']) - Number(b['seq']),
  );
}

async function count(session: SqlSession, sql: CommonStatements, queue: string): Promise<CountRow> {
  const row = await first(session, sql.count, { queue });
  const oldestMs = row?.['oldest_ms'] ?? null;
  return {
    ready: Number(row?.['ready_jobs']),
    delayed: Number(row?.['delayed_jobs']),
    reserved: Number(row?.['reserved_jobs']),
    failed: Number(row?.['failed_jobs']),
    oldestMs: oldestMs === null ? null : Number(oldestMs),
    paused: isTrue(row?.['paused']),
  };
}

/** A database without booleans says 1; one whose integers are large may say it in digits. */
export function isTrue(value: unknown): boolean {
  return value === true || Number(value) === 1;
}

function failedJobs(sql: CommonStatements): FailedJobsDialect {
  return {
    list: (session, queue, seq, limit) =>
      queue === null
        ? all(session, sql.listFailed, { seq, limit })
        : all(session, sql.listFailedOfQueue, { queue, seq, limit }),
    find: (session, id) => first(session, sql.findFailed, { id }),
    retry: (session, seq) =>
      session.atomically(async () => {
        if ((await first(session, sql.lockFailed, { seq })) === null) return 'missing';
        if ((await run(session, sql.retryFailed, { seq })) === 0) return 'duplicate';
        await run(session, sql.removeFailed, { seq });
        return 'retried';
      }),
    forget: async (session, id) => (await run(session, sql.forgetFailed, { id })) > 0,
    flush: (session, queue, limit) =>
      queue === null
        ? run(session, sql.flushFailed, { limit })
        : run(session, sql.flushFailedOfQueue, { queue, limit }),
  };
}

function browse(sql: CommonStatements): BrowseDialect {
  return {
    list: (session, { queue, state, seq, limit }) =>
      state === 'ready'
        ? all(session, sql.browseReady, { queue, seq, limit })
        : all(session, sql.browseWaiting, { queue, state: state === 'delayed' ? 1 : 2, seq, limit }),
    find: (session, queue, id) => first(session, sql.findJob, { id, queue }),
    remove: async (session, queue, id) => (await run(session, sql.removeJob, { id, queue })) > 0,
    promote: async (session, queue, id) => (await run(session, sql.promoteJob, { id, queue })) > 0,
  };
}
