import {
  QueueServerException,
  ServerRefused,
  type SettleOutcome,
  type Settlement,
} from '../../contract/index.js';
import type { FencedSettlement } from './dialects/sql-dialect.js';
import { AcquireFailed } from './executor/acquire-failed.js';
import type { SqlSession } from './executor/sql-executor.js';
import { InFlightBatch } from './in-flight-batch.js';
import { translateError } from './server-errors.js';
import { asSqlReceipt } from './sql-receipt.js';
import type { SqlBackendParts } from './sql-backend-parts.js';

/** Settlements that one step takes at most. */
const MAX_SETTLE_BATCH = 500;

export interface SettleBatches {
  settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]>;
}

/** Settlements that come while another is in flight become one transaction, never two of one delivery. */
export function settleBatches({ gate, dialect, settings }: SqlBackendParts): SettleBatches {
  /** Settles, and stores the follow-ups of an ack that was applied, in the same transaction. */
  const apply = async (
    session: SqlSession,
    entries: readonly FencedSettlement[],
  ): Promise<readonly boolean[]> => {
    const applied = await dialect.settle(session, entries);
    const followUps = entries.flatMap(({ settlement }, index) =>
      applied[index] === true && settlement.operation === 'ack' ? settlement.followUps : [],
    );
    if (followUps.length > 0) await dialect.insert(session, followUps);
    return applied;
  };
  const batch = new InFlightBatch<FencedSettlement, SettleOutcome>({
    maxSize: MAX_SETTLE_BATCH,
    acquireTimeoutMs: settings.acquireTimeoutMs,
    keysOf: ({ receipt }) => [receipt.key],
    sizeOf: () => 1,
    neverRan: neverSent,
    mayBeOnesFault: (error) => !(error instanceof AcquireFailed) && dialect.classify(error) === 'defect',
    async run(entries, acquireTimeoutMs) {
      const keepsFailed = settings.failedJobs !== null;
      const alone =
        entries.length === 1 && entries.every(({ settlement }) => isOneStatement(settlement, keepsFailed));
      const step = alone ? gate.session.bind(gate) : gate.transaction.bind(gate);
      const applied = await step((session) => apply(session, entries), acquireTimeoutMs);
      return applied.map((done) => ({ status: done ? 'applied' : 'stale' }));
    },
  });
  return {
    settle(settlements) {
      const entries = settlements.map((settlement) => ({
        settlement,
        receipt: asSqlReceipt(settlement.receipt),
      }));
      const outcomes = batch.add(entries).map((outcome, index) =>
        outcome.catch((error: unknown) => {
          const action = `${entries[index]?.settlement.operation}()`;
          if (neverSent(error)) return waitedInVain(action, settings.acquireTimeoutMs, error);
          return failedSettlement(translateError(dialect, error, action));
        }),
      );
      return Promise.all(outcomes);
    },
  };
}

function neverSent(error: unknown): boolean {
  return error instanceof AcquireFailed && error.reason === 'timeout';
}

/** A transaction of the application ends sooner or later, and nothing was applied: it may be tried again. */
function waitedInVain(action: string, acquireTimeoutMs: number, cause: unknown): SettleOutcome {
  const error = new ServerRefused(
    `${action}: expected the database connection, came none for ${acquireTimeoutMs} ms: a transaction of this ` +
      'application may hold it. Nothing was sent: try again, and keep transactions short.',
    { cause },
  );
  return { status: 'refused', error };
}

function isOneStatement(settlement: Settlement, keepsFailed: boolean): boolean {
  if (settlement.operation === 'fail') return !keepsFailed;
  return settlement.operation !== 'ack' || settlement.followUps.length === 0;
}

function failedSettlement(error: unknown): SettleOutcome {
  if (!(error instanceof QueueServerException)) throw error;
  return { status: error.code === 'QUEUE_SERVER_REFUSED' ? 'refused' : 'unknown', error };
}
