import type { Queue } from '@kinetis/nestjs-queue';
import { ImportOrders } from './import-orders.job.js';

/** What is read of a pg-boss job that was fetched with its metadata. */
export interface OldJob {
  readonly id: string;
  readonly data: { readonly file: string; readonly shop: string };
  readonly priority: number;
  readonly startAfter: Date;
  readonly retryLimit: number;
  readonly retryCount: number;
}

/** What is used of a started `PgBoss`. */
export interface OldBoss {
  fetch(
    name: string,
    options: { batchSize: number; includeMetadata: true; ignoreStartAfter: true },
  ): Promise<readonly OldJob[]>;
  complete(name: string, id: string): Promise<unknown>;
}

/** Pushes the jobs that wait in a queue of pg-boss, delayed ones too; resolves with how many. */
export async function drainOrders(boss: OldBoss, queue: Queue): Promise<number> {
  const options = { batchSize: 100, includeMetadata: true, ignoreStartAfter: true } as const;
  let moved = 0;
  for (;;) {
    const jobs = await boss.fetch('import-orders', options);
    if (jobs.length === 0) return moved;
    for (const old of jobs) {
      await queue.push(new ImportOrders(old.data.file, old.data.shop), {
        delaySeconds: Math.max(0, (old.startAfter.getTime() - Date.now()) / 1_000),
        priority: Math.max(-100, Math.min(100, old.priority)), // −100 to 100, higher first
        maxAttempts: Math.max(1, 1 + old.retryLimit - old.retryCount),
        uniqueKey: `pg-boss-${old.id}`, // a job may be fetched again, see below
        metadata: { pgBossId: old.id },
      });
      // Only now: until then pg-boss has the job.
      await boss.complete('import-orders', old.id);
      moved += 1;
    }
  }
}
