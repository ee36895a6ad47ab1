import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobInstance } from '../../lib/jobs/index.js';
import { type Queue, QueueAdmin } from '../../lib/queue/index.js';
import * as v1 from '../support/apps/deploy-v1.jobs.js';
import * as v2 from '../support/apps/deploy-v2.jobs.js';
import { ProcessBench } from '../support/process-bench.js';
import type { WorkerProcess } from '../support/worker-process.js';
import { waitFor } from '../support/eventually.js';

let bench: ProcessBench;
let queue: Queue;
let admin: QueueAdmin;

beforeEach(async () => {
  bench = new ProcessBench();
  queue = await bench.open(90);
  admin = new QueueAdmin(queue);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await bench.close();
});

type Version = 'v1' | 'v2';

const startWorker = (version: Version): WorkerProcess =>
  bench.startWorker(`deploy-${version}-worker`, { leaseSeconds: 90 });

/** What each version pushes during the deploy. */
const pushedBy: { readonly [V in Version]: (n: number) => readonly JobInstance[] } = {
  v1: (n) => [
    new v1.Invoice(n),
    new v1.Receipt(n),
    new v1.Letter(n, 'blue'),
    new v1.Notify(n),
    new v1.Purge(n),
  ],
  v2: (n) => [
    new v2.Invoice(n, 'EUR'),
    new v2.Receipt(n),
    new v2.Receipt(n, 3),
    new v2.Letter(n),
    new v2.Notice(n),
    new v2.Sweep(n),
  ],
};

/** What a worker of one version says of the other version's jobs; a job that is not here it can do. */
const refusals: { readonly [V in Version]: { readonly [job: string]: string } } = {
  v1: {
    Invoice: 'extra-argument',
    Receipt: 'extra-argument',
    Letter: 'missing-argument',
    Notice: 'unknown-class',
    Sweep: 'unknown-class',
  },
  v2: { Invoice: 'missing-argument', Letter: 'extra-argument', Purge: 'unknown-class' },
};

/** Pushes jobs of both versions, mixed; answers each id with the version it is of and its wire name. */
async function pushMixed(
  copies: number,
): Promise<Map<string, { readonly by: Version; readonly name: string }>> {
  const pushed = new Map<string, { by: Version; name: string }>();
  for (let n = 0; n < copies; n += 1) {
    for (const by of ['v2', 'v1'] as const) {
      for (const job of pushedBy[by](n)) {
        const id = await queue.push(job);
        if (id !== null) pushed.set(id, { by, name: job.constructor.name });
      }
    }
  }
  return pushed;
}

/** Ends the rest of half a minute that a job has between two looks. */
async function promoteAll(): Promise<number> {
  const { jobs } = await admin.browse.list({ queue: 'deploy', state: 'delayed', limit: 100 });
  const promoted = await Promise.all(jobs.map(({ id }) => admin.browse.promote('deploy', id)));
  return promoted.filter(Boolean).length;
}

/** A handler says that it is done before its delivery is settled. */
async function settled(): Promise<void> {
  await waitFor('the last settlement', async () => (await queue.counts('deploy')).reserved === 0);
}

const done = (): number => bench.lines('done').length;
const deferred = (): number => bench.lines('JobDeferred').length;

describe.each([
  ['version 1 works on while version 2 pushes', 'v1', 'v2'],
  ['version 2 works already while version 1 pushes', 'v2', 'v1'],
] as const)('a deploy over one file: %s', (_, running, coming) => {
  it(
    'loses no job, fails none for good, and has each done once by code that knows it, without an attempt spent',
    { timeout: 60_000 },
    async () => {
      const alone = startWorker(running);
      const pushed = await pushMixed(3);
      const strangers = [...pushed].filter(([, { by, name }]) => by === coming && name in refusals[running]);
      await waitFor(
        'one version to do its own and give back the rest',
        () => done() === pushed.size - strangers.length && deferred() === strangers.length,
      );
      expect(await queue.counts('deploy')).toMatchObject({ ready: 0, delayed: strangers.length, failed: 0 });
      const reasons = new Map(bench.lines('JobDeferred').map(({ id, reason }) => [id, reason]));
      expect(strangers.map(([id, { name }]) => [name, reasons.get(id)])).toEqual(
        strangers.map(([, { name }]) => [name, refusals[running][name]]),
      );

      // Both versions side by side: whoever comes first takes a job, and gives it back where it does not know it.
      const other = startWorker(coming);
      const waiting = await promoteAll();
      expect(waiting).toBe(strangers.length);
      await waitFor('each job to be seen once more', () => done() + deferred() >= pushed.size + waiting);
      alone.signal('SIGTERM');
      expect(await alone.exit()).toBe(0);
      await promoteAll();
      await waitFor('every job to be done', () => done() >= pushed.size);

      await settled();
      expect(await queue.counts('deploy')).toMatchObject({ ready: 0, delayed: 0, failed: 0 });
      expect(
        bench
          .lines('done')
          .map(({ id }) => id ?? '')
          .toSorted(),
      ).toEqual([...pushed.keys()].toSorted());
      const doers = new Map(bench.lines('done').map(({ id, pid }) => [id, pid]));
      expect(strangers.map(([id, { name }]) => [name, doers.get(id)])).toEqual(
        strangers.map(([, { name }]) => [name, other.pid]),
      );
      expect(bench.lines('done').filter(({ attempt }) => attempt !== 1)).toEqual([]);
      expect(bench.lines('JobReleased')).toEqual([]);
      expect(bench.lines('JobFailedPermanently')).toEqual([]);
    },
  );
});

describe('a job that no version of the application knows any more', () => {
  it('fails when its grace is over, and is done when it is retried after the code is there', async () => {
    vi.stubEnv('QUEUE_SCHEMA_GRACE', '30');
    const old = startWorker('v1');
    const id = await queue.push(new v2.Sweep(1));
    await bench.seen('JobDeferred');
    await waitFor('the job to be promoted', async () => (await promoteAll()) === 1);
    await bench.seen('JobFailedPermanently');
    expect(await admin.failed.find(id)).toMatchObject({
      queue: 'deploy',
      failure: { cause: 'unknown-class' },
    });
    old.signal('SIGTERM');
    await old.exit();
    expect(await admin.failed.retry(id)).toBe('retried');
    const current = startWorker('v2');
    expect(await bench.seen('done', 1, current.pid)).toMatchObject([{ id, attempt: 1 }]);
  });
});

interface SqliteDatabase {
  prepare(statement: string): { run(...values: unknown[]): { readonly changes: number } };
  close(): void;
}

/** Writes an envelope's version as code of another version would have. */
function setVersion(id: string, version: number): void {
  const Database = createRequire(import.meta.url)('better-sqlite3') as new (file: string) => SqliteDatabase;
  const database = new Database(bench.databaseFile);
  const { changes } = database.prepare('update kinetis_queue_jobs set v = ? where id = ?').run(version, id);
  database.close();
  expect(changes).toBe(1);
}

describe('an envelope of a higher version than the worker reads', () => {
  it('is given back and warned about, holds nothing up, and is delivered once it can be read', async () => {
    const id = await queue.push(new v1.Receipt(1));
    setVersion(id, 2);
    const next = await queue.push(new v1.Receipt(2));
    const worker = startWorker('v1');
    await bench.seen('done');
    expect(bench.lines('done')).toMatchObject([{ id: next, n: 2 }]);
    await waitFor('a warning', () => /envelope of version 2, newer than this code reads/.test(worker.output));
    await settled();
    expect(await queue.counts('deploy')).toMatchObject({ ready: 0, delayed: 1, failed: 0 });
    setVersion(id, 1);
    expect(await promoteAll()).toBe(1);
    const [, late] = await bench.seen('done', 2);
    expect(late).toMatchObject({ id, n: 1, attempt: 1 });
  });
});
