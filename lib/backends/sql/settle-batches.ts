import {
  type NewJob,
  QueueServerException,
  type SettleOutcome,
  type Settlement,
} from '../../contract/index.js';
import type { FencedSettlement, SqlDialect } from './dialects/sql-dialect.js';
import { waitedInVain } from './executor/acquire-failed.js';
import type { SqlSession } from './executor/sql-executor.js';
import { InFlightBatch, type Taken } from './in-flight-batch.js';
import { refusedForWant, translateError } from './server-errors.js';
import { asSqlReceipt } from './sql-receipt.js';
import type { SqlBackendParts } from './sql-backend-parts.js';
import { isDefect } from './statement-failed.js';

/** Settlements that one step takes at most. */
const MAX_SETTLE_BATCH = 500;

/** A reserve that takes longer holds no settlement back: its connection may be in trouble, and others not. */
const LONGEST_HOLD_MS = 20;

export type TakenAcks = Taken<FencedSettlement, SettleOutcome>;

export interface SettleBatches {
  settle(settlements: readonly Settlement[]): Promise<readonly SettleOutcome[]>;
  /**
   * Acks that wait and end a delivery and nothing else, for a reserve that carries them out by the way; null where none
   * wait. Whatever may give something back to a queue has ended by then.
   */
  takeAcks(): Promise<TakenAcks | null>;
  /** A reserve is under way: those who get what it brings are about to reserve again. Call what it answers at its end. */
  reserving(): () => void;
}

/** Settlements that come while another is in flight become one transaction, never two of one delivery. */
export function settleBatches({ gate, settings }: SqlBackendParts): SettleBatches {
  const batch = new InFlightBatch<FencedSettlement, SettleOutcome>({
    maxSize: MAX_SETTLE_BATCH,
    acquireTimeoutMs: settings.acquireTimeoutMs,
    keysOf: ({ receipt }) => [receipt.key],
    sizeOf: () => 1,
    mayBeTaken: isBareAck,
    neverRan: waitedInVain,
    mayBeOnesFault: isDefect,
    async run(entries, acquireTimeoutMs) {
      const applied = await gate.session(
        (session, dialect) => settleWithFollowUps(session, dialect, entries),
        acquireTimeoutMs,
      );
      return applied.map(outcomeOf);
    },
  });
  /** Settlements that are no such acks, waiting or in flight. */
  const others = new Set<Promise<unknown>>();
  return {
    reserving: () => batch.hold(LONGEST_HOLD_MS),
    async takeAcks() {
      while (others.size > 0) await Promise.all(others);
      return batch.take();
    },
    settle(settlements) {
      const entries = settlements.map((settlement) => ({
        settlement,
        receipt: asSqlReceipt(settlement.receipt),
      }));
      const outcomes = batch.add(entries).map((outcome, index) =>
        outcome.catch((error: unknown) => {
          const action = `${entries[index]?.settlement.operation}()`;
          if (waitedInVain(error)) return refused(refusedForWant(error, action));
          return failedSettlement(translateError(error, action));
        }),
      );
      const settled = Promise.all(outcomes);
      if (!entries.every((entry) => isBareAck(entry) || entry.settlement.operation === 'extend')) {
        const ended: Promise<unknown> = settled.catch(() => undefined).finally(() => others.delete(ended));
        others.add(ended);
      }
      return settled;
    },
  };
}

function isBareAck({ settlement }: FencedSettlement): boolean {
  return settlement.operation === 'ack' && settlement.followUps.length === 0;
}

/** Settles, and stores the follow-ups of an ack that was applied, in the same step. */
async function settleWithFollowUps(
  session: SqlSession,
  dialect: SqlDialect,
  entries: readonly FencedSettlement[],
): Promise<readonly boolean[]> {
  if (entries.every(({ settlement }) => followUpsOf(settlement).length === 0)) {
    return dialect.settle(session, entries);
  }
  return session.atomically(async () => {
    const applied = await dialect.settle(session, entries);
    const due = entries.flatMap(({ settlement }, index) =>
      applied[index] === true ? followUpsOf(settlement) : [],
    );
    if (due.length > 0) await dialect.insert(session, due);
    return applied;
  });
}

function followUpsOf(settlement: Settlement): readonly NewJob[] {
  return settlement.operation === 'ack' ? settlement.followUps : [];
}

export function outcomeOf(applied: boolean): SettleOutcome {
  return { status: applied ? 'applied' : 'stale' };
}

function refused(error: Error): SettleOutcome {
  return { status: 'refused', error };
}

function failedSettlement(error: unknown): SettleOutcome {
  if (!(error instanceof QueueServerException)) throw error;
  return { status: error.code === 'QUEUE_SERVER_REFUSED' ? 'refused' : 'unknown', error };
}
