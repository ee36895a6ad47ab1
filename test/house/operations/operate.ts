import type { INestApplicationContext } from '@nestjs/common';
import { Queue, QueueAdmin } from '@kinetis/nestjs-queue';

/** One question or one step about a queue of the connection `default`; `id` is that of a job. */
export async function operate(
  app: INestApplicationContext,
  command: string,
  queue = 'default',
  id = '',
): Promise<unknown> {
  const jobs = app.get(Queue);
  const admin = await app.resolve(QueueAdmin); // transient: resolve(), not get()
  switch (command) {
    case 'queues': // names of all that hold jobs
      return jobs.queues();
    case 'counts': // ready, delayed, reserved, failed, oldestReadySeconds, paused
      return jobs.counts(queue);
    case 'failed': // the newest 50, with the cause of each
      return (await admin.failed.list({ queue })).jobs.map(({ id, failedAt, job, failure }) => ({
        id,
        failedAt,
        class: job?.class ?? null,
        cause: failure.cause,
        error: `${failure.error}: ${failure.message}`,
        stack: failure.stack,
      }));
    case 'running': // reserved jobs, and when the lease of each ends unless it is renewed
      return (await admin.browse.list({ queue, state: 'reserved' })).jobs.map(({ id, job, dueAt }) => ({
        id,
        class: job?.class ?? null,
        leaseEnds: dueAt,
      }));
    case 'show': // the bytes of one failed job, its arguments unredacted
      return (await admin.failed.find(id, { queue }))?.body ?? 'missing';
    case 'retry': // 'retried', 'missing' or 'duplicate'
      return admin.failed.retry(id, { queue });
    case 'retry-all':
      return admin.failed.retryAll({ queue });
    case 'forget': // deletes a failed job
      return admin.failed.forget(id, { queue });
    case 'remove': // deletes a job that waits; false for one that runs
      return admin.browse.remove(queue, id);
    case 'pause':
      await admin.pause(queue);
      return jobs.counts(queue);
    case 'resume':
      await admin.resume(queue);
      return jobs.counts(queue);
    default:
      throw new Error(`Expected a command such as counts, failed or retry, came ${command}.`);
  }
}
