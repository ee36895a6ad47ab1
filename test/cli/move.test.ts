import { describe, expect, test } from 'vitest';
import {
  canBrowse,
  encodeBody,
  type NewJob,
  type QueueBackend,
  type StoredJob,
} from '../../lib/contract/index.js';
import { newJob } from '../support/redis-queue.js';
import { commandLine } from './support/command-line.js';
import { folderWith, sqliteFactory } from './support/config-file.js';
import { redisStore, sqliteStore, type Store, STORES } from './support/stores.js';
import { isTested } from '../support/servers.js';

const TWO = { QUEUE_CONNECTIONS: 'default,target' };
const MOVE = ['move', '--from=default', '--to=target'];

/** What is stored of a queue, by state and id. */
async function storedOn(backend: QueueBackend, queue: string): Promise<ReadonlyMap<string, StoredJob>> {
  if (!canBrowse(backend)) throw new Error('Expected a backend that can browse.');
  const found = new Map<string, StoredJob>();
  for (const state of ['ready', 'delayed', 'reserved'] as const) {
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof backend.listJobs>> = await backend.listJobs({
        queue,
        state,
        limit: 500,
        ...(cursor === null ? {} : { cursor }),
      });
      for (const job of page.jobs) found.set(job.id, job);
      cursor = page.cursor;
    } while (cursor !== null);
  }
  return found;
}

function jobOf(fields: Parameters<typeof newJob>[0] = {}, attempts = 0): NewJob {
  const job = newJob(fields);
  const body = encodeBody({
    id: job.id,
    pushedAt: '2026-01-02T03:04:05.678Z',
    class: 'SendMail',
    args: { text: 'naïve\u2028 😀' },
    maxAttempts: 5,
    metadata: { tenant: 'acme' },
    chain: [],
  });
  return { ...job, body, header: { ...job.header, attempts } };
}

/** From each store to Redis, and from Redis to each. */
const PAIRS: readonly (readonly [string, string, (typeof STORES)[number][1], (typeof STORES)[number][1]])[] =
  STORES.flatMap(([name, open]) =>
    name === 'redis'
      ? [['redis', 'sqlite', open, sqliteStore] as const]
      : [
          ...(isTested('redis') ? [[name, 'redis', open, redisStore] as const] : []),
          [name, 'sqlite', open, sqliteStore] as const,
        ],
  );

describe.each(PAIRS)('from %s to %s', (_, __, openSource, openTarget) => {
  test('jobs keep all that makes them what they are', async () => {
    const source = await openSource();
    const target = await openTarget('target');
    const key = 'b'.repeat(64);
    const sent = [
      jobOf({}, 2),
      jobOf({ priority: 7, leaseSeconds: 12, uniqueKey: key }),
      jobOf({ delaySeconds: 3_600 }),
      jobOf({ delaySeconds: 7_200, priority: -5 }, 1),
    ];
    await source.backend.store(sent);
    const { code, out, err } = await commandLine(MOVE, { env: { ...TWO, ...source.env, ...target.env } });
    expect({ code, out }).toEqual({ code: 0, out: '"mail": moved 4 jobs, 2 of them delayed\n' });
    // What a store says of its own server is not the command's.
    const said = err.split('\n').filter((line) => line !== '' && !line.startsWith('warning: '));
    expect(said).toEqual(['mail: 2 of 4 (50 %)', 'mail: 4 of 4 (100 %)']);
    expect((await storedOn(source.backend, 'mail')).size).toBe(0);
    const there = await storedOn(target.backend, 'mail');
    for (const job of sent) {
      const { attempts, priority, leaseSeconds, uniqueKey, deferrals } = job.header;
      expect(there.get(job.id)).toMatchObject({
        state: job.delaySeconds > 0 ? 'delayed' : 'ready',
        body: job.body,
        header: { attempts, priority, rank: priority, leaseSeconds, uniqueKey, deferrals },
      });
      const due = there.get(job.id)?.dueAt?.getTime();
      if (job.delaySeconds > 0)
        expect(Number(due) - Date.now()).toBeGreaterThan((job.delaySeconds - 60) * 1_000);
    }
  });

  test('the order of a queue stays', async () => {
    const source = await openSource();
    const target = await openTarget('target');
    const sent = Array.from({ length: 250 }, () => newJob());
    for (const job of sent) await source.backend.store([job]);
    await commandLine(MOVE, { env: { ...TWO, ...source.env, ...target.env } });
    const items = await target.backend.reserve(['mail'], 250);
    const ids = items.map(({ body }) => (JSON.parse(String(body)) as { id: string }).id);
    expect(ids).toEqual(sent.map(({ id }) => id));
  });
});

async function sqlitePair(): Promise<{ source: Store; target: Store; env: Record<string, string> }> {
  const source = await sqliteStore();
  const target = await sqliteStore('target');
  return { source, target, env: { ...TWO, ...source.env, ...target.env } };
}

test('what cannot be moved stays, is told, and comes back to its queue', async () => {
  const { source, target, env } = await sqlitePair();
  const key = 'c'.repeat(64);
  const held = newJob({ uniqueKey: key });
  const broken = { ...newJob(), body: 'no JSON' };
  const later = { ...newJob({ delaySeconds: 3_600 }), body: 'no JSON' };
  const newer = newJob();
  const fine = newJob();
  await target.backend.store([newJob({ uniqueKey: key })]);
  await source.backend.store([held, broken, later, { ...newer, header: { ...newer.header, v: 2 } }, fine]);
  const { code, out } = await commandLine(MOVE, { env });
  expect({ code, out }).toMatchInlineSnapshot(`
    {
      "code": 1,
      "out": ""mail": moved 1 job
      stayed: 2 jobs, undecodable
      stayed: 1 job, written by a newer version
      stayed: 1 job, another job of the destination holds the unique key
    ",
    }
  `);
  const left = await storedOn(source.backend, 'mail');
  expect([...left.keys()].sort()).toEqual([held.id, broken.id, later.id, newer.id].sort());
  expect([...left.values()].map(({ header }) => header?.attempts)).toEqual([0, 0, 0, 0]);
  expect(await source.backend.count('mail')).toMatchObject({ ready: 3, delayed: 1, reserved: 0 });
});

test('a job that a worker holds stays with it', async () => {
  const { source, env } = await sqlitePair();
  await source.backend.store([newJob(), newJob()]);
  await source.backend.reserve(['mail'], 1);
  const { code, out } = await commandLine(MOVE, { env });
  expect({ code, out }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "out": ""mail": moved 1 job
      held: 1 job, by workers or by a move that was ended; move again when back
    ",
    }
  `);
});

test('only the queues that are named are moved, and --json counts each', async () => {
  const { source, env } = await sqlitePair();
  await source.backend.store([newJob(), newJob({ queue: 'reports' }), newJob({ queue: 'imports' })]);
  const { out } = await commandLine([...MOVE, '--queue=mail', '--queue=imports', '--json'], { env });
  const none = { delayed: 0, alreadyThere: 0, mayRunTwice: 0, stayed: {}, held: 0, left: 0 };
  expect(JSON.parse(out)).toEqual({
    from: 'default',
    to: 'target',
    queues: [
      { ...none, queue: 'mail', moved: 1 },
      { ...none, queue: 'imports', moved: 1 },
    ],
  });
  expect(await source.backend.count('reports')).toMatchObject({ ready: 1 });
});

test.each([
  [['move', '--to=target'], 64, '--from: expected the connection that has the jobs, came nothing.'],
  [['move', '--from=default'], 64, '--to: expected the connection that is to have them, came nothing.'],
  [['move', '--from=target', '--to=target'], 64, '--to: expected another connection than --from'],
  [['move', '--from=default', '--to=none'], 64, 'came "none". Known: "default", "target".'],
])('%j ends with %d', async (argv, expected, message) => {
  const { env } = await sqlitePair();
  const { code, out, err } = await commandLine(argv, { env });
  expect({ code, out }).toEqual({ code: expected, out: '' });
  expect(err).toContain(message);
});

test('a paused queue is refused before any other is touched', async () => {
  const { source, env } = await sqlitePair();
  await source.backend.store([newJob(), newJob({ queue: 'reports' })]);
  await commandLine(['pause', '--queue=reports'], { env });
  const { code, out, err } = await commandLine(MOVE, { env });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('expected queues that are not paused, came "reports"');
  expect(await source.backend.count('mail')).toMatchObject({ ready: 1 });
});

test('a destination without tables is found before anything is touched', async () => {
  const { source, env } = await sqlitePair();
  await source.backend.store([newJob()]);
  const missing = { ...env, DB_TARGET_DATABASE: '/nowhere/queue.sqlite' };
  const { code, err } = await commandLine(MOVE, { env: missing });
  expect(code).toBe(64);
  expect(err).toContain('/nowhere/queue.sqlite');
  expect([...(await storedOn(source.backend, 'mail')).values()].map(({ header }) => header?.serial)).toEqual([
    0,
  ]);
});

test.each(STORES)('two connections to one store of %s are refused, and no job is lost', async (_, open) => {
  const { env, backend } = await open();
  const jobs = [newJob(), newJob({ delaySeconds: 3_600 })];
  await backend.store(jobs);
  const again = Object.entries(env).map(([name, value]) => [
    name.replace(/^(QUEUE|DB|REDIS)_/, '$1_TARGET_'),
    value,
  ]);
  const { code, out, err } = await commandLine(MOVE, {
    env: { ...TWO, ...env, ...(Object.fromEntries(again) as Record<string, string>) },
  });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain('move: expected two stores, came one');
  expect([...(await storedOn(backend, 'mail')).keys()].sort()).toEqual(jobs.map(({ id }) => id).sort());
});

/** A folder whose config.mjs has the source and the target, their backends changed by code over `backend`. */
async function changedFolder(
  source: Store,
  target: Store,
  changes: { source?: string; target?: string },
): Promise<string> {
  const changed = (store: Store, name: string, code = 'return backend;') =>
    `async (context) => { const backend = await (${sqliteFactory(store, name)})(context); ${code} }`;
  return folderWith({
    'config.mjs': `export default {
      default: ${changed(source, 'DB_DATABASE', changes.source)},
      target: ${changed(target, 'DB_TARGET_DATABASE', changes.target)},
    };`,
  });
}

test('jobs go back to the source at once where the destination does not take them', async () => {
  const { source, target } = await sqlitePair();
  await source.backend.store(Array.from({ length: 150 }, () => newJob()));
  const folder = await changedFolder(source, target, {
    target: `
      const { ConnectionFailed } = await import(${JSON.stringify(`${process.cwd()}/lib/contract/index.ts`)});
      const error = new ConnectionFailed('push(): expected a connection, came none.');
      let calls = 0;
      const store = (jobs) => ++calls > 1 ? Promise.resolve(jobs.map(() => ({ status: 'refused', error }))) : backend.store(jobs);
      return Object.create(backend, { store: { value: store } });`,
  });
  const { code, out, err } = await commandLine([...MOVE, '--config=config.mjs'], { folder });
  expect({ code, out }).toEqual({ code: 69, out: '"mail": moved 100 jobs\n' });
  expect(err).toContain('push(): expected a connection, came none.');
  expect(await source.backend.count('mail')).toMatchObject({ ready: 50, reserved: 0 });
});

test('one job that the destination refuses does not keep the others back', async () => {
  const { source, target } = await sqlitePair();
  const jobs = [newJob(), newJob({ args: { text: 'too large' } }), newJob()];
  await source.backend.store(jobs);
  const folder = await changedFolder(source, target, {
    target: `
      const error = new Error('a body that is too large');
      const store = async (jobs) => jobs.some(({ body }) => body.includes('too large'))
        ? jobs.map(() => ({ status: 'refused', error })) : backend.store(jobs);
      return Object.create(backend, { store: { value: store } });`,
  });
  const { code, out } = await commandLine([...MOVE, '--config=config.mjs'], { folder });
  expect({ code, out }).toMatchInlineSnapshot(`
    {
      "code": 1,
      "out": ""mail": moved 2 jobs
      stayed: 1 job, refused by the destination, such as for the size
    ",
    }
  `);
  expect([...(await storedOn(source.backend, 'mail')).keys()]).toEqual([jobs[1]?.id]);
});

test('a job that a worker of the source takes in the last moment is taken back', async () => {
  const { source, target } = await sqlitePair();
  const job = newJob({ delaySeconds: 3_600 });
  await source.backend.store([job]);
  const folder = await changedFolder(source, target, {
    source: `
      const removeJob = async (queue, id) => {
        await backend.promoteJob(queue, id);
        await backend.reserve([queue], 1);
        return backend.removeJob(queue, id);
      };
      return Object.create(backend, { removeJob: { value: removeJob } });`,
  });
  const { code, out } = await commandLine([...MOVE, '--config=config.mjs'], { folder });
  expect({ code, out }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "out": ""mail": moved 0 jobs
      held: 1 job, by workers or by a move that was ended; move again when back
    ",
    }
  `);
  expect((await storedOn(target.backend, 'mail')).size).toBe(0);
});

test('a signal ends it after a step, and started again it goes on', async () => {
  const { source, target, env } = await sqlitePair();
  await source.backend.store(Array.from({ length: 300 }, () => newJob()));
  const stop = new AbortController();
  const first = await commandLine(MOVE, { env, stop: stop.signal, onWrite: () => stop.abort() });
  expect(first.code).toBe(1);
  expect(first.out).toBe('"mail": moved 100 jobs\n  left: 200 jobs, move again\n');
  expect(first.err).toContain('move: ended before it was through; start it again to go on');
  const second = await commandLine(MOVE, { env });
  expect({ code: second.code, out: second.out }).toEqual({ code: 0, out: '"mail": moved 200 jobs\n' });
  expect((await storedOn(target.backend, 'mail')).size).toBe(300);
});
