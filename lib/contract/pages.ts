import { InvalidQueueArgumentException } from './exceptions/invalid-queue-argument.exception.js';

/** The place that a page's cursor names, for stores that number what they list; `start` for the first page. */
export function placeOfCursor(cursor: string | undefined, start: number): number {
  if (cursor === undefined) return start;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new InvalidQueueArgumentException(
    'cursor: expected the cursor of an earlier page, came another text.',
  );
}

/** A page of `limit` from entries of which one more, at least, was looked for, and the cursor of the next. */
export function pageOf<Entry, Job>(
  entries: readonly Entry[],
  limit: number,
  jobOf: (entry: Entry) => Job,
  placeOf: (entry: Entry) => unknown,
): { readonly jobs: readonly Job[]; readonly cursor: string | null } {
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return {
    jobs: page.map(jobOf),
    cursor: entries.length > limit && last !== undefined ? String(placeOf(last)) : null,
  };
}
