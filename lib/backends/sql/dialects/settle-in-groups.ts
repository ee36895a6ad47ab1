import type {
  ExtendSettlement,
  FailSettlement,
  ReturnSettlement,
  Settlement,
} from '../../../contract/index.js';
import type { SqlRow } from '../executor/sql-executor.js';
import type { SqlReceipt } from '../sql-receipt.js';
import type { FencedSettlement } from './sql-dialect.js';

/** A settlement of one kind, with its receipt. */
export interface Fenced<Kind extends Settlement> {
  readonly settlement: Kind;
  readonly receipt: SqlReceipt;
}

/** What a dialect does with the settlements of one kind; each answers `seq` and `token` of those that were applied. */
export interface SettleGroups {
  readonly ack: (entries: readonly FencedSettlement[]) => Promise<readonly SqlRow[]>;
  readonly fail: (entries: readonly Fenced<FailSettlement>[]) => Promise<readonly SqlRow[]>;
  readonly giveBack: (entries: readonly Fenced<ReturnSettlement>[]) => Promise<readonly SqlRow[]>;
  readonly extend: (entries: readonly Fenced<ExtendSettlement>[]) => Promise<readonly SqlRow[]>;
}

/**
 * Settles one kind after the other, each with one call, and answers in the order of the entries. No receipt comes twice,
 * so the order among the kinds has no effect.
 */
export async function settleInGroups(
  entries: readonly FencedSettlement[],
  groups: SettleGroups,
): Promise<readonly boolean[]> {
  const acks = entries.filter(({ settlement }) => settlement.operation === 'ack');
  const applied = new Set<string>();
  const settle = async <Entry>(
    group: readonly Entry[],
    step: (group: readonly Entry[]) => Promise<readonly SqlRow[]>,
  ): Promise<void> => {
    if (group.length > 0)
      for (const row of await step(group)) applied.add(`${String(row['seq'])}:${String(row['token'])}`);
  };
  await settle(acks, groups.ack);
  await settle(ofKind(entries, isFail), groups.fail);
  await settle(ofKind(entries, isReturn), groups.giveBack);
  await settle(ofKind(entries, isExtend), groups.extend);
  return entries.map(({ receipt }) => applied.has(receipt.key));
}

/** Whether all are of one kind, so that one call is the whole step. */
export function areOfOneKind(entries: readonly FencedSettlement[]): boolean {
  return new Set(entries.map(({ settlement }) => settlement.operation)).size <= 1;
}

function ofKind<Kind extends Settlement>(
  entries: readonly FencedSettlement[],
  isKind: (settlement: Settlement) => settlement is Kind,
): Fenced<Kind>[] {
  return entries.flatMap(({ settlement, receipt }) => (isKind(settlement) ? [{ settlement, receipt }] : []));
}

function isFail(settlement: Settlement): settlement is FailSettlement {
  return settlement.operation === 'fail';
}

function isReturn(settlement: Settlement): settlement is ReturnSettlement {
  return settlement.operation === 'release' || settlement.operation === 'defer';
}

function isExtend(settlement: Settlement): settlement is ExtendSettlement {
  return settlement.operation === 'extend';
}
