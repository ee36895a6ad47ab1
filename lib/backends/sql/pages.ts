import { InvalidQueueArgumentException } from '../../contract/index.js';
import type { SqlRow } from './executor/sql-executor.js';

/** The `seq` that a page's cursor names; `start` for the first page. */
export function seqOfCursor(cursor: string | undefined, start: number): number {
  if (cursor === undefined) return start;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new InvalidQueueArgumentException(
    'cursor: expected the cursor of an earlier page, came another text.',
  );
}

/** A page of `limit` from rows that were asked for with one more, and the cursor of the next. */
export function pageOf<Entry>(
  rows: readonly SqlRow[],
  limit: number,
  entryOf: (row: SqlRow) => Entry,
): { readonly jobs: readonly Entry[]; readonly cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    jobs: page.map(entryOf),
    cursor: rows.length > limit && last !== undefined ? String(last['seq']) : null,
  };
}
