import type { FailedJobsRetention, NewJob } from '../../../contract/index.js';
import type { SqlRow, SqlSession, SqlValue } from '../executor/sql-executor.js';
import { columnsOf, delayMsOf, type JobColumns, returnOf } from '../job-row.js';
import { POSTGRESQL_STATEMENTS } from '../postgresql-statements.generated.js';
import { printable } from '../stored-body.js';
import { type TableNames, quotedSchema } from '../tables.js';
import { commonDialect, inOrder, isTrue } from './common-dialect.js';
import { classifyPostgresql } from './postgresql-errors.js';
import { groupsOf, type SettlementGroups } from './settlement-groups.js';
import { postgresqlDurability } from './postgresql-durability.js';
import { FullQueues } from './full-queues.js';
import type { FencedSettlement, HintDialect, NextStep, ReserveRequest, SqlDialect } from './sql-dialect.js';
import { all, first, run, type Statement, statementsOn } from './statement.js';

/** How many due rows of a queue one reserve brings back at most; the rest stays due for the next. */
const PROMOTION_BATCH_SIZE = 500;

/** How many failed jobs above the retention one failure removes at most. */
const PRUNE_BATCH_SIZE = 500;

/** Stands before each body of an insert; JSON has no such character, and a body that has one stands as base64. */
const SEPARATOR = '\x1e';

type Statements = { readonly [Name in keyof typeof POSTGRESQL_STATEMENTS]: Statement };

/**
 * PostgreSQL from 13. Batches are lists that one statement takes apart. Without a retention a job that is given up on is
 * removed.
 */
export function postgresqlDialect(names: TableNames, retention: FailedJobsRetention | null): SqlDialect {
  const tables = quotedSchema(names, '"');
  const sql = statementsOn(POSTGRESQL_STATEMENTS, tables);
  const common = commonDialect(sql);
  const channel = `${tables.prefix}work`;
  const full = new FullQueues();
  /** The database keeps text in an encoding that lacks most characters: what is not ASCII stands as base64. */
  let asciiOnly = false;
  return {
    name: 'postgresql',
    ...common,
    hint: hints(sql, channel),
    insert: (session, jobs, tell = []) => insert(session, sql, jobs, { asciiOnly, tell: [...tell], channel }),
    reserve: (session, request) => reserve(session, sql, full, request),
    next: (session, request, removals) => next(session, sql, full, request, removals),
    settle: (session, entries) => settle(session, sql, entries, { retention, asciiOnly }),
    async presentVersion(session) {
      const table = `${tables.schema === null ? '' : `${tables.schema}.`}${tables.prefix}schema`;
      const found = await first(session, sql.findSchema, { table });
      return isTrue(found?.['present']) ? common.schemaVersion(session) : 0;
    },
    exclusively: (session, work) =>
      session.atomically(async () => {
        await all(session, sql.lockMigration);
        return work();
      }),
    preparation: () => async (session) => {
      const found = await first(session, sql.serverEncoding);
      asciiOnly = !['UTF8', 'SQL_ASCII'].includes(String(found?.['encoding']));
    },
    advice: () => Promise.resolve(null),
    durability: async (session) => postgresqlDurability(await first(session, sql.durability)),
    classify: classifyPostgresql,
  };
}

function hints(sql: Statements, channel: string): HintDialect {
  return {
    channel,
    async send(session, queue) {
      await all(session, sql.notify, { channel, queue });
    },
  };
}

interface InsertOptions {
  readonly asciiOnly: boolean;
  readonly tell: readonly string[];
  readonly channel: string;
}

async function insert(
  session: SqlSession,
  sql: Statements,
  jobs: readonly NewJob[],
  { asciiOnly, tell, channel }: InsertOptions,
): Promise<readonly boolean[]> {
  const columns = jobs.map((job) => columnsOf(job, { asciiOnly, without: SEPARATOR }));
  const body = columns.map((column) => `${SEPARATOR}${column.body}`).join('');
  const values = { ...listsOf(columns), body, tell, channel };
  if (jobs.every(({ header }) => header.uniqueKey === null)) {
    await all(session, sql.insertKeyless, values);
    return jobs.map(() => true);
  }
  const rows = await all(session, sql.insert, values);
  const stored = new Set(rows.map((row) => row['id']));
  return jobs.map(({ id }) => stored.has(id));
}

/** One list for each column, as `unnest()` takes them. */
function listsOf(rows: readonly JobColumns[]): Lists {
  const names = Object.keys(rows[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? null)]));
}

async function reserve(
  session: SqlSession,
  sql: Statements,
  full: FullQueues,
  { queues, limit, token, leaseSeconds }: ReserveRequest,
): Promise<readonly SqlRow[]> {
  const open = await openOf(session, sql, full, queues);
  if (open.length === 0) return [];
  const request = { queues: open, limit, token, leaseSeconds };
  let rows = await all(session, sql.reserve, request);
  // What others had in hand is passed over, and they may have taken all that was first in line.
  if (rows.length === 0) rows = await all(session, sql.reserve, request);
  full.reserved(queues, rows.length === limit);
  return inOrder(rows, queues);
}

/** The queues that have something to take, after what is due was brought back. */
async function openOf(
  session: SqlSession,
  sql: Statements,
  full: FullQueues,
  queues: readonly string[],
): Promise<readonly string[]> {
  const found = await all(session, sql.probe, { queues });
  const named = (rows: readonly SqlRow[]): string[] => rows.map((row) => String(row['queue']));
  const due = named(found.filter((row) => isTrue(row['due'])));
  if (due.length > 0) await run(session, sql.promote, { queues: due, limit: PROMOTION_BATCH_SIZE });
  const open = new Set(
    named(found.filter((row) => !isTrue(row['paused']) && (isTrue(row['ready']) || isTrue(row['due'])))),
  );
  if (open.size > 0) full.looked(queues);
  return queues.filter((queue) => open.has(queue));
}

async function next(
  session: SqlSession,
  sql: Statements,
  full: FullQueues,
  { queues, limit, token, leaseSeconds }: ReserveRequest,
  removals: readonly FencedSettlement[],
): ReturnType<NextStep> {
  const open = full.has(queues) ? queues : await openOf(session, sql, full, queues);
  const receipts = pairsOf(removals);
  const [queue] = open;
  if (queue === undefined) {
    const keys = keysOf(await all(session, sql.remove, receipts));
    return { rows: [], removed: removals.map(({ receipt }) => keys.has(receipt.key)) };
  }
  const { seq, token: tokens } = receipts;
  const found = await all(session, sql.next, { queue, limit, token, leaseSeconds, seq, tokens });
  const rows = found.filter((row) => row['removed'] === null);
  const [gone] = found.filter((row) => row['removed'] !== null);
  full.reserved(queues, rows.length === limit);
  const places = new Set(String(gone?.['removed'] ?? '').split(','));
  return { rows: inOrder(rows, queues), removed: removals.map((_, index) => places.has(String(index + 1))) };
}

interface SettleOptions {
  readonly retention: FailedJobsRetention | null;
  readonly asciiOnly: boolean;
}

async function settle(
  session: SqlSession,
  sql: Statements,
  entries: readonly FencedSettlement[],
  { retention, asciiOnly }: SettleOptions,
): Promise<readonly boolean[]> {
  const { removals, failures, returns, extensions, areAlike } = groupsOf(entries, retention !== null);
  const statements = async (): Promise<readonly SqlRow[]> => [
    ...(removals.length === 0 ? [] : await all(session, sql.remove, pairsOf(removals))),
    ...(failures.length === 0 ? [] : await all(session, sql.fail, failedOf(failures, asciiOnly))),
    ...(returns.length === 0 ? [] : await all(session, sql.return, returnedOf(returns))),
    ...(extensions.length === 0 ? [] : await all(session, sql.extend, extendedOf(extensions))),
  ];
  const applied = areAlike ? await statements() : await session.atomically(statements);
  if (retention !== null && failures.length > 0) await prune(session, sql, failures, retention);
  const keys = keysOf(applied);
  return entries.map(({ receipt }) => keys.has(receipt.key));
}

function keysOf(rows: readonly SqlRow[]): ReadonlySet<string> {
  return new Set(rows.map((row) => `${String(row['seq'])}:${String(row['token'])}`));
}

type Lists = { readonly [name: string]: SqlValue };

function pairsOf(group: readonly Pick<FencedSettlement, 'receipt'>[]): {
  readonly seq: number[];
  readonly token: string[];
} {
  return { seq: group.map(({ receipt }) => receipt.seq), token: group.map(({ receipt }) => receipt.token) };
}

function returnedOf(group: SettlementGroups['returns']): Lists {
  return { ...pairsOf(group), ...listsOf(group.map(({ settlement }) => returnOf(settlement))) };
}

function extendedOf(group: SettlementGroups['extensions']): Lists {
  return { ...pairsOf(group), ms: group.map(({ settlement }) => delayMsOf(settlement.seconds)) };
}

function failedOf(group: SettlementGroups['failures'], asciiOnly: boolean): Lists {
  const failures = group.map(({ settlement: { failure } }) => ({
    cause: failure.cause,
    error: printable(failure.error, asciiOnly),
    message: printable(failure.message, asciiOnly),
    stack: failure.stack === null ? null : printable(failure.stack, asciiOnly),
  }));
  return { ...pairsOf(group), ...listsOf(failures) };
}

/** Lets go of failed jobs that the retention no longer covers. */
async function prune(
  session: SqlSession,
  sql: Statements,
  group: SettlementGroups['failures'],
  { maxAgeSeconds, maxCount }: FailedJobsRetention,
): Promise<void> {
  const limit = PRUNE_BATCH_SIZE;
  await run(session, sql.pruneOldFailed, { maxAgeMs: maxAgeSeconds * 1_000, limit });
  for (const queue of new Set(group.map(({ receipt }) => receipt.queue))) {
    await run(session, sql.pruneManyFailed, { queue, limit, maxCount });
  }
}
