import { randomBytes } from 'node:crypto';
import type { FailedJobsRetention } from '../../../contract/index.js';
import type { SqlSession } from '../executor/sql-executor.js';
import { delayMsOf, returnOf } from '../job-row.js';
import { printable } from '../stored-body.js';
import type { MysqlStatements } from './mysql.dialect.js';
import { groupsOf, type SettlementGroups } from './settlement-groups.js';
import type { FencedSettlement } from './sql-dialect.js';
import { all, first, run, type Statement } from './statement.js';

/** How many failed jobs above the retention one failure removes at most. */
const PRUNE_BATCH_SIZE = 500;

type Group = readonly Pick<FencedSettlement, 'receipt'>[];

/** Settles in one transaction: what is still held is read under a lock, and one statement a kind does the rest. */
export async function settleOnMysql(
  session: SqlSession,
  sql: MysqlStatements,
  entries: readonly FencedSettlement[],
  retention: FailedJobsRetention | null,
): Promise<readonly boolean[]> {
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && isRemoval(only, retention)) {
    const { seq, token } = only.receipt;
    return [(await run(session, sql.remove, { seq, token })) === 1];
  }
  return session.atomically(async () => {
    const held = await heldOf(session, sql, entries);
    const current = entries.filter(({ receipt }) => held.has(receipt.key));
    const { removals, failures, returns, extensions } = groupsOf(current, retention !== null);
    if (retention !== null && failures.length > 0) await keepFailed(session, sql, failures, retention);
    await removeAll(session, sql, [...removals, ...failures]);
    await withList(
      session,
      sql.return,
      returns.map(({ settlement, receipt }) => ({ seq: receipt.seq, ...returnOf(settlement) })),
    );
    await withList(
      session,
      sql.extend,
      extensions.map(({ settlement, receipt }) => ({ seq: receipt.seq, ms: delayMsOf(settlement.seconds) })),
    );
    return entries.map(({ receipt }) => held.has(receipt.key));
  });
}

function isRemoval({ settlement }: FencedSettlement, retention: FailedJobsRetention | null): boolean {
  return settlement.operation === 'ack' || (settlement.operation === 'fail' && retention === null);
}

async function heldOf(session: SqlSession, sql: MysqlStatements, entries: Group): Promise<Set<string>> {
  const rows = await all(session, sql.pickHeld, { seqs: seqsOf(entries) });
  return new Set(rows.map((row) => `${String(row['seq'])}:${String(row['token'])}`));
}

function seqsOf(group: Group): number[] {
  return group.map(({ receipt }) => receipt.seq);
}

async function removeAll(session: SqlSession, sql: MysqlStatements, group: Group): Promise<void> {
  if (group.length > 0) await run(session, sql.removeAll, { seqs: seqsOf(group) });
}

/** Runs a statement that takes its rows from a JSON list. */
async function withList(session: SqlSession, statement: Statement, given: readonly object[]): Promise<void> {
  if (given.length > 0) await run(session, statement, { given: JSON.stringify(given) });
}

/** Copies rows to the failed store, and lets go there of what the retention no longer covers. */
async function keepFailed(
  session: SqlSession,
  sql: MysqlStatements,
  group: SettlementGroups['failures'],
  retention: FailedJobsRetention,
): Promise<void> {
  const failures = group.map(({ settlement: { failure }, receipt }) => ({
    seq: receipt.seq,
    freshId: randomBytes(16).toString('hex'),
    cause: failure.cause,
    error: printable(failure.error),
    message: printable(failure.message),
    stack: failure.stack === null ? null : printable(failure.stack),
  }));
  await withList(session, sql.fail, failures);
  await prune(session, sql, new Set(group.map(({ receipt }) => receipt.queue)), retention);
}

async function prune(
  session: SqlSession,
  sql: MysqlStatements,
  queues: ReadonlySet<string>,
  { maxAgeSeconds, maxCount }: FailedJobsRetention,
): Promise<void> {
  const limit = PRUNE_BATCH_SIZE;
  await run(session, sql.pruneOldFailed, { maxAgeMs: maxAgeSeconds * 1_000, limit });
  for (const queue of queues) {
    const last = await first(session, sql.lastKept, { queue, offset: maxCount });
    if (last === null) continue;
    await run(session, sql.pruneManyFailed, { queue, seq: Number(last['seq']), limit });
  }
}
