import type { FailedJobs } from '../../queue/index.js';

/** Newest failed jobs whose queues are looked at in one step. */
const PAGE_SIZE = 100;

/**
 * The queues that were named; else each that holds failed jobs, found on the way, newest failures first: what was done to
 * one queue is then told before the next is begun. A failure that comes meanwhile is newer than where this has come to, and
 * is left for another time.
 */
export async function* failedQueues(
  failed: FailedJobs,
  named: readonly string[] | undefined,
): AsyncGenerator<string> {
  if (named !== undefined) return yield* named;
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<FailedJobs['list']>> = await failed.list({
      limit: PAGE_SIZE,
      ...(cursor === null ? {} : { cursor }),
    });
    for (const { queue } of page.jobs) {
      if (seen.has(queue)) continue;
      seen.add(queue);
      yield queue;
    }
    ({ cursor } = page);
  } while (cursor !== null);
}
