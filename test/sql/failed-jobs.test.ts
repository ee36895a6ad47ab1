import { describe, expect, it } from 'vitest';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import { type Failure, InvalidQueueArgumentException } from '../../lib/contract/index.js';
import { migrated, newJob } from '../support/sql-files.js';

const failure: Failure = { cause: 'fatal', error: 'TypeError', message: "it's ? :gone", stack: null };

/** Stores jobs and gives all of them up, the oldest first. */
async function fail(backend: SqlBackend, jobs: readonly ReturnType<typeof newJob>[]): Promise<void> {
  for (const job of jobs) {
    await backend.store([job]);
    const [item] = await backend.reserve([job.queue], 1);
    await backend.settle([{ operation: 'fail', receipt: item?.receipt, failure }]);
  }
}

async function bodies(backend: SqlBackend, queue = 'mail'): Promise<unknown[]> {
  const { jobs } = await backend.listFailed({ queue, limit: 1_000 });
  return jobs.map(({ body }) => body);
}

describe('failed jobs of the sql backend', () => {
  it('keep what went wrong, and leave their queue in the same step', async () => {
    const { backend } = await migrated();
    const job = newJob({ uniqueKey: 'b'.repeat(64), priority: 3 });
    await fail(backend, [job]);
    const found = await backend.findFailed(job.id);
    expect(found).toMatchObject({ id: job.id, queue: 'mail', body: job.body, failure });
    expect(found?.header).toMatchObject({ priority: 3, uniqueKey: 'b'.repeat(64) });
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 0, failed: 1 });
  });

  it('are kept up to a number of each queue', async () => {
    const { backend } = await migrated({ failedJobs: { maxCount: 2 } });
    const jobs = [newJob(), newJob(), newJob()];
    await fail(backend, [newJob({ queue: 'other' }), ...jobs]);
    expect(await bodies(backend)).toEqual([jobs[2]?.body, jobs[1]?.body]);
    expect(await bodies(backend, 'other')).toHaveLength(1);
  });

  it('are kept up to an age', async () => {
    const { backend, orm } = await migrated({ failedJobs: { maxAgeSeconds: 60 } });
    await fail(backend, [newJob(), newJob()]);
    await orm.em
      .getConnection()
      .execute('update kinetis_queue_failed_jobs set failed_at = failed_at - 61000');
    const young = newJob();
    await fail(backend, [young]);
    expect(await bodies(backend)).toEqual([young.body]);
  });

  it('are removed where none are kept', async () => {
    const { backend, orm } = await migrated({ failedJobs: false });
    expect(backend.capabilities.failedJobs).toBe('no');
    await fail(backend, [newJob()]);
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 0, failed: null });
    const rows = await orm.em.getConnection().execute('select * from kinetis_queue_failed_jobs');
    expect(rows).toEqual([]);
  });

  it('come back all of them, however many, and one a unique key', async () => {
    const { backend } = await migrated();
    const uniqueKey = 'c'.repeat(64);
    await fail(backend, [newJob({ uniqueKey }), newJob({ uniqueKey })]);
    await fail(
      backend,
      Array.from({ length: 148 }, () => newJob()),
    );
    expect(await backend.retryAllFailed('mail')).toEqual({ retried: 149, duplicates: 1 });
    expect(await backend.count('mail')).toMatchObject({ ready: 149, failed: 1 });
    expect(await backend.flushFailed()).toBe(1);
  });

  it('wake a waiting worker when they come back', async () => {
    const { backend } = await migrated();
    const job = newJob();
    await fail(backend, [job]);
    expect(await backend.reserve(['mail'], 1)).toEqual([]);
    expect(await backend.retryFailed(job.id)).toBe('retried');
    // The sweep above is older than the retry, so this wait does not begin; a vanished hint would cost a second.
    let ended = false;
    const { signal } = new AbortController();
    const waiting = backend.waitForWork(['mail'], { timeoutMs: 60_000, limit: 1, signal });
    void waiting.then(() => (ended = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(true);
  });

  it('stay with their queue when a transaction of many fails is refused by one', async () => {
    const { backend } = await migrated();
    await backend.store([newJob(), newJob()]);
    const items = await backend.reserve(['mail'], 2);
    const broken = { ...failure, message: null as never };
    const results = await Promise.allSettled(
      items.map(({ receipt }, index) =>
        backend.settle([{ operation: 'fail', receipt, failure: index === 0 ? broken : failure }]),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await backend.count('mail')).toMatchObject({ reserved: 1, failed: 1 });
  });

  it('refuse a cursor that no page gave', async () => {
    const { backend } = await migrated();
    await expect(backend.listFailed({ limit: 1, cursor: 'x' })).rejects.toBeInstanceOf(
      InvalidQueueArgumentException,
    );
    await expect(
      backend.listJobs({ queue: 'mail', state: 'ready', limit: 1, cursor: '-1' }),
    ).rejects.toBeInstanceOf(InvalidQueueArgumentException);
  });
});
