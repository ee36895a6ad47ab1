import type {
  ExtendSettlement,
  FailSettlement,
  ReturnSettlement,
  Settlement,
} from '../../../contract/index.js';
import type { SqlReceipt } from '../sql-receipt.js';
import type { FencedSettlement } from './sql-dialect.js';

/** A settlement of one kind, with its receipt. */
export interface Fenced<Kind extends Settlement> {
  readonly settlement: Kind;
  readonly receipt: SqlReceipt;
}

/** Settlements by what is to be done with their rows. */
export interface SettlementGroups {
  /** Rows that go without a trace. */
  readonly removals: readonly FencedSettlement[];
  /** Rows that go to the failed store. */
  readonly failures: readonly Fenced<FailSettlement>[];
  readonly returns: readonly Fenced<ReturnSettlement>[];
  readonly extensions: readonly Fenced<ExtendSettlement>[];
  /** Whether there is one kind only, so that one statement is the whole step. */
  readonly areAlike: boolean;
}

/** No receipt comes twice, so the order in which the groups are settled has no effect. */
export function groupsOf(entries: readonly FencedSettlement[], keepsFailed: boolean): SettlementGroups {
  const removals: FencedSettlement[] = [];
  const failures: Fenced<FailSettlement>[] = [];
  const returns: Fenced<ReturnSettlement>[] = [];
  const extensions: Fenced<ExtendSettlement>[] = [];
  for (const entry of entries) {
    const { settlement, receipt } = entry;
    if (settlement.operation === 'ack') removals.push(entry);
    else if (settlement.operation === 'extend') extensions.push({ settlement, receipt });
    else if (settlement.operation !== 'fail') returns.push({ settlement, receipt });
    else if (keepsFailed) failures.push({ settlement, receipt });
    else removals.push(entry);
  }
  const groups = [removals, failures, returns, extensions];
  const areAlike = groups.filter((group) => group.length > 0).length === 1;
  return { removals, failures, returns, extensions, areAlike };
}
