import { MAX_FAILED_SCAN } from '../contract/index.js';

/** How far into a list a board can page: cursors lead from page to page, so each page reads those before it. */
export const FURTHEST = 5_000;
/** Longest page. */
const LONGEST = 200;

type ReadPage<Job> = (
  limit: number,
  cursor: string | undefined,
) => Promise<{ readonly jobs: readonly Job[]; readonly cursor: string | null }>;

/** The jobs from place `start` to place `end`, both included, of a list that is read page by page. */
export async function readRange<Job>(start: number, end: number, read: ReadPage<Job>): Promise<Job[]> {
  const until = Math.min(end + 1, start + LONGEST, FURTHEST);
  const jobs: Job[] = [];
  let place = 0;
  let cursor: string | undefined;
  while (place < until) {
    const page = await read(Math.min(MAX_FAILED_SCAN, until - place), cursor);
    jobs.push(...page.jobs.slice(Math.max(start - place, 0)));
    place += page.jobs.length;
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  return jobs;
}
