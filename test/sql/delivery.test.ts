import { describe, expect, it } from 'vitest';
import { DEFERRED_RANK, type ReservedItem } from '../../lib/contract/index.js';
import type { SqlBackend } from '../../lib/backends/sql/sql.backend.js';
import { migrated, newJob } from '../support/sql-files.js';

async function one(backend: SqlBackend, queue = 'mail'): Promise<ReservedItem> {
  const [item] = await backend.reserve([queue], 1);
  if (item === undefined) throw new Error('expected a job to be ready');
  return item;
}

/** Reserves again and again until something is there. */
async function eventually(backend: SqlBackend, queue = 'mail'): Promise<ReservedItem> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const [item] = await backend.reserve([queue], 1);
    if (item !== undefined) return item;
    await backend.waitForWork([queue], { timeoutMs: 20, limit: 1, signal: new AbortController().signal });
  }
  throw new Error('waited 10 s for a job to become ready');
}

const applied = [{ status: 'applied' }];
const stale = [{ status: 'stale' }];

describe('the sql backend on SQLite', () => {
  it('delivers a stored job once, byte for byte', async () => {
    const { backend } = await migrated();
    const job = newJob({ body: '{"text":"\'; drop table x; -- ? :name \\u0000 ü 🙂"}', leaseSeconds: 7 });
    expect(await backend.store([job])).toEqual(applied);
    const item = await one(backend);
    expect(item.body).toBe(job.body);
    expect(item.leaseSeconds).toBe(7);
    expect(item.header).toEqual({ ...job.header, serial: 1 });
    expect(await backend.reserve(['mail'], 10)).toEqual([]);
  });

  it.each([
    ['a NUL', 'a\0b'],
    ['quotes and placeholders', `'"\`?:name$1@x`],
    ['the marker of encoded bodies', 'base64:YWJj'],
    ['200 KB', 'ü'.repeat(100_000)],
    ['nothing', ''],
  ])('keeps a body with %s as it is', async (_, body) => {
    const { backend } = await migrated();
    await backend.store([newJob({ body })]);
    expect((await one(backend)).body).toBe(body);
  });

  it('hands out bytes that are no text as bytes', async () => {
    const { backend, orm } = await migrated();
    await backend.store([newJob()]);
    await orm.em.getConnection().execute("update kinetis_queue_jobs set body = 'base64:/w=='");
    expect((await one(backend)).body).toEqual(Buffer.from([0xff]));
  });

  it('goes by list order, then priority, then age', async () => {
    const { backend } = await migrated();
    const low = newJob({ queue: 'second', priority: 100 });
    const old = newJob();
    const young = newJob();
    const high = newJob({ priority: 1 });
    await backend.store([low, old, young, high]);
    const items = await backend.reserve(['mail', 'second'], 10);
    expect(items.map((item) => item.body)).toEqual([high.body, old.body, young.body, low.body]);
  });

  it('takes at most the limit over all queues', async () => {
    const { backend } = await migrated();
    await backend.store([newJob({ queue: 'a' }), newJob({ queue: 'b' }), newJob({ queue: 'b' })]);
    expect((await backend.reserve(['a', 'b'], 2)).map((item) => item.queue)).toEqual(['a', 'b']);
  });

  it('keeps a delay as a floor', async () => {
    const { backend } = await migrated();
    const before = Date.now();
    await backend.store([newJob({ delaySeconds: 0.2 })]);
    expect(await backend.reserve(['mail'], 1)).toEqual([]);
    expect(await backend.count('mail')).toMatchObject({ ready: 0, delayed: 1 });
    await eventually(backend);
    expect(Date.now() - before).toBeGreaterThanOrEqual(200);
  });

  it('removes a job that is acked, and tells the second ack that it is stale', async () => {
    const { backend } = await migrated();
    await backend.store([newJob()]);
    const { receipt } = await one(backend);
    expect(await backend.settle([{ operation: 'ack', receipt, followUps: [] }])).toEqual(applied);
    expect(await backend.settle([{ operation: 'ack', receipt, followUps: [] }])).toEqual(stale);
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 0 });
  });

  it('gives a released job its old place, its changes, and a new receipt', async () => {
    const { backend } = await migrated();
    const first = newJob();
    await backend.store([first, newJob()]);
    const before = await one(backend);
    const release = { operation: 'release', changes: { attempts: 1 }, delaySeconds: 0 } as const;
    expect(await backend.settle([{ ...release, receipt: before.receipt }])).toEqual(applied);
    const again = await one(backend);
    expect(again.body).toBe(first.body);
    expect(again.header).toMatchObject({ attempts: 1, serial: 3 });
    expect(await backend.settle([{ ...release, receipt: before.receipt }])).toEqual(stale);
    expect(await backend.settle([{ operation: 'ack', receipt: again.receipt, followUps: [] }])).toEqual(
      applied,
    );
  });

  it('puts a deferred job before everything else for one round', async () => {
    const { backend } = await migrated();
    const deferred = newJob({ priority: -5 });
    await backend.store([deferred]);
    const { receipt } = await one(backend);
    await backend.store([newJob({ priority: 100 })]);
    const changes = { deferrals: 1, rank: DEFERRED_RANK };
    await backend.settle([{ operation: 'defer', receipt, changes, delaySeconds: 0 }]);
    const [again, other] = await backend.reserve(['mail'], 2);
    expect(again?.body).toBe(deferred.body);
    expect(again?.header).toMatchObject({ deferrals: 1, rank: -5 });
    await backend.settle([
      { operation: 'release', receipt: again?.receipt, changes: {}, delaySeconds: 0 },
      { operation: 'release', receipt: other?.receipt, changes: {}, delaySeconds: 0 },
    ]);
    expect((await one(backend)).body).toBe(other?.body);
  });

  it('hands a job whose lease has lapsed to another, a spent attempt later, and refuses the first', async () => {
    const { backend } = await migrated({ leaseSeconds: 0.1 });
    await backend.store([newJob()]);
    const lost = await one(backend);
    const found = await eventually(backend);
    expect(found.header).toMatchObject({ attempts: 1, serial: 3 });
    for (const settlement of [
      { operation: 'ack', receipt: lost.receipt, followUps: [newJob()] },
      { operation: 'release', receipt: lost.receipt, changes: {}, delaySeconds: 0 },
      { operation: 'extend', receipt: lost.receipt, seconds: 60 },
    ] as const) {
      expect(await backend.settle([settlement])).toEqual(stale);
    }
    expect(await backend.settle([{ operation: 'ack', receipt: found.receipt, followUps: [] }])).toEqual(
      applied,
    );
    expect(await backend.count('mail')).toMatchObject({ ready: 0, reserved: 0 });
  });

  it('lets a lease that has lapsed settle while nobody has taken the job', async () => {
    const { backend } = await migrated({ leaseSeconds: 0.01 });
    await backend.store([newJob()]);
    const { receipt } = await one(backend);
    await expect.poll(async () => (await backend.count('mail')).ready, { timeout: 10_000 }).toBe(1);
    expect(await backend.settle([{ operation: 'ack', receipt, followUps: [] }])).toEqual(applied);
  });

  it('ends a lease when an extend says so, also sooner', async () => {
    const { backend } = await migrated();
    await backend.store([newJob()]);
    const { receipt } = await one(backend);
    expect(await backend.settle([{ operation: 'extend', receipt, seconds: 0.01 }])).toEqual(applied);
    const again = await eventually(backend);
    expect(again.header).toMatchObject({ attempts: 1 });
  });

  it('stores follow-ups with the ack, and none with a stale one', async () => {
    const { backend } = await migrated();
    await backend.store([newJob()]);
    const { receipt } = await one(backend);
    const next = newJob({ queue: 'next' });
    const ack = { operation: 'ack', receipt, followUps: [next] } as const;
    expect(await backend.settle([ack])).toEqual(applied);
    expect(await backend.settle([ack])).toEqual(stale);
    expect((await backend.reserve(['next'], 10)).map((item) => item.body)).toEqual([next.body]);
  });

  it('applies one of two settlements that one call holds for a delivery', async () => {
    const { backend } = await migrated();
    await backend.store([newJob(), newJob()]);
    const [first, second] = await backend.reserve(['mail'], 2);
    const outcomes = await backend.settle([
      { operation: 'ack', receipt: first?.receipt, followUps: [] },
      { operation: 'ack', receipt: first?.receipt, followUps: [] },
      { operation: 'ack', receipt: second?.receipt, followUps: [] },
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['applied', 'stale', 'applied']);
  });

  it('answers duplicate for a unique key that is held, in one queue, until the job is gone', async () => {
    const { backend } = await migrated();
    const uniqueKey = 'a'.repeat(64);
    const outcomes = await backend.store([newJob({ uniqueKey }), newJob({ uniqueKey }), newJob()]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['applied', 'duplicate', 'applied']);
    expect(await backend.store([newJob({ uniqueKey, queue: 'other' })])).toEqual(applied);
    const { receipt } = await one(backend);
    expect(await backend.store([newJob({ uniqueKey })])).toEqual([{ status: 'duplicate' }]);
    await backend.settle([{ operation: 'ack', receipt, followUps: [] }]);
    expect(await backend.store([newJob({ uniqueKey })])).toEqual(applied);
  });

  it('clears ready and delayed jobs, and no reservation even when its lease has lapsed', async () => {
    const { backend } = await migrated({ leaseSeconds: 0.01 });
    await backend.store([newJob()]);
    const { receipt } = await one(backend);
    await backend.store([newJob(), newJob({ delaySeconds: 60 }), newJob({ queue: 'other' })]);
    expect(await backend.clear('mail')).toBe(2);
    expect(await backend.settle([{ operation: 'ack', receipt, followUps: [] }])).toEqual(applied);
    expect((await backend.count('other')).ready).toBe(1);
  });

  it('counts by time, not by stored state', async () => {
    const { backend, orm } = await migrated();
    await backend.store([newJob({ delaySeconds: 60 }), newJob(), newJob()]);
    await one(backend);
    expect(await backend.count('mail')).toMatchObject({ ready: 1, delayed: 1, reserved: 1, paused: false });
    await orm.em.getConnection().execute('update kinetis_queue_jobs set due_at = due_at - 120000');
    const counts = await backend.count('mail');
    expect(counts).toMatchObject({ ready: 3, delayed: 0, reserved: 0 });
    expect(counts.oldestReadySeconds).toBeGreaterThanOrEqual(120);
    expect(await backend.count('empty')).toMatchObject({ ready: 0, oldestReadySeconds: null });
  });

  it('reserves nothing from a paused queue', async () => {
    const { backend } = await migrated();
    await backend.store([newJob()]);
    await backend.pauseQueue('mail');
    await backend.pauseQueue('mail');
    expect(await backend.reserve(['mail'], 1)).toEqual([]);
    expect(await backend.count('mail')).toMatchObject({ ready: 1, paused: true });
    await backend.resumeQueue('mail');
    expect(await backend.reserve(['mail'], 1)).toHaveLength(1);
  });

  it('names the queues that hold jobs in any state', async () => {
    const { backend } = await migrated();
    expect(await backend.queues()).toEqual([]);
    await backend.store([
      newJob({ queue: 'c' }),
      newJob({ queue: 'a', delaySeconds: 60 }),
      newJob({ queue: 'b' }),
      newJob({ queue: 'b' }),
    ]);
    await one(backend, 'c');
    expect(await backend.queues()).toEqual(['a', 'b', 'c']);
  });
});
