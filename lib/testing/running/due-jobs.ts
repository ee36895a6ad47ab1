import { canBrowse, type StoredJob } from '../../contract/index.js';
import type { QueueConnection } from '../../queue/index.js';
import { RecordedConnection } from '../recorded/recorded-connection.js';

const PAGE = 100;
/** The queue that a worker sweeps last. */
const LAST_QUEUE = 'default';

/** The first queue with a ready job, as a worker sweeps them: alphabetically, `default` last. */
export async function readyQueue(connection: QueueConnection): Promise<string | null> {
  const queues = await connection.queues();
  const ordered = queues.toSorted((a, b) => Number(a === LAST_QUEUE) - Number(b === LAST_QUEUE));
  for (const queue of ordered) {
    const { ready, paused } = await connection.counts(queue);
    if (ready > 0 && !paused) return queue;
  }
  return null;
}

/** Makes the delayed job that is due next a ready one; false where there is none. */
export async function advanceToNext(connections: readonly QueueConnection[]): Promise<boolean> {
  let next: { readonly connection: QueueConnection; readonly job: StoredJob } | null = null;
  for (const connection of connections) {
    for (const job of await delayedJobs(connection)) {
      if (next === null || dueMs(job) < dueMs(next.job)) next = { connection, job };
    }
  }
  if (next === null) return false;
  const { connection, job } = next;
  if (connection instanceof RecordedConnection) {
    connection.record.advanceTo(dueMs(job));
    return true;
  }
  return canBrowse(connection.backend) && connection.backend.promoteJob(job.queue, job.id);
}

function dueMs({ dueAt }: StoredJob): number {
  return dueAt?.getTime() ?? 0;
}

async function delayedJobs(connection: QueueConnection): Promise<readonly StoredJob[]> {
  const { backend } = connection;
  if (!canBrowse(backend)) return [];
  const found: StoredJob[] = [];
  for (const queue of await connection.queues()) {
    if ((await connection.counts(queue)).paused) continue;
    let cursor: string | null | undefined;
    do {
      const page = await backend.listJobs({
        queue,
        state: 'delayed',
        limit: PAGE,
        ...(cursor == null ? {} : { cursor }),
      });
      found.push(...page.jobs);
      cursor = page.cursor;
    } while (cursor !== null);
  }
  return found;
}
