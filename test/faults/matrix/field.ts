import type { FaultCell } from '../cell.js';
import type { TargetKind } from '../target.js';
import type { TrialResult } from '../trial.js';

/** One cell on one target: the trials that it had, or why it has none. */
export interface Field {
  readonly cell: FaultCell;
  readonly target: TargetKind;
  /** Why it makes no sense, or what was missing; null where it was run. */
  readonly reason: string | null;
  readonly results: TrialResult[];
  /** What kept a trial from being held at all. */
  readonly errors: string[];
}

/** The trial was held, its fault did what it should, and nothing was broken. */
export function isClean({ verdict }: TrialResult): boolean {
  return verdict.violations.length === 0;
}

export function sumOf(
  results: readonly TrialResult[],
  count: keyof TrialResult['verdict']['counts'],
): number {
  return results.reduce((sum, { verdict }) => sum + verdict.counts[count], 0);
}

/** How many second deliveries, or copies of a repeated push, had a cause that the ledgers show. */
export function explainedOf(results: readonly TrialResult[]): number {
  return results
    .flatMap(({ verdict }) => Object.values(verdict.causes))
    .reduce((sum, count) => sum + count, 0);
}
