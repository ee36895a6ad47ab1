import { describe, expect, test } from 'vitest';
import { newJob } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';
import { freePorts } from '../support/private-redis.js';
import { temporaryFile } from '../support/sql-files.js';
import { administer, driverNamed } from '../support/sql-servers.js';
import { commandLine } from './support/command-line.js';
import { crippledFolder } from './support/config-file.js';
import { sqliteStore, type Store, STORES } from './support/stores.js';

interface Finding {
  readonly topic: string;
  readonly level: string;
  readonly message: string;
  readonly mend: string | null;
}

async function doctor(env: Store['env'], ...argv: string[]) {
  const { code, out, err } = await commandLine(['doctor', '--json', '--observe=0.05', ...argv], { env });
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  return {
    code,
    err,
    findings,
    about: (topic: string) => findings.filter((finding) => finding.topic === topic),
  };
}

describe.each(STORES)('on %s', (_, open) => {
  test('a store as it should be has no problem, and nothing to mend beside the settings of its server', async () => {
    const { env, backend } = await open();
    await backend.store([newJob()]);
    const { code, err, findings } = await doctor(env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const mended = findings.filter(({ level, topic }) => level !== 'ok' && topic !== 'settings');
    expect(mended).toEqual([]);
    expect(findings.map(({ topic }) => topic)).toEqual(
      expect.arrayContaining(['connection', 'server', 'grants', 'clock', 'queues']),
    );
  });

  test('jobs that wait with nobody reading are a problem; taken ones are not', async () => {
    const { env, backend } = await open();
    await backend.store([newJob(), newJob()]);
    const lonely = await doctor(env, '--waited=0.000001');
    expect(lonely.code).toBe(1);
    expect(lonely.about('queue mail')).toEqual([
      {
        topic: 'queue mail',
        level: 'problem',
        message: expect.stringMatching(/^2 jobs waited, the oldest for \d+ s, and nobody takes one$/),
        mend: 'start a worker that watches it: node dist/worker --queue=mail',
      },
    ]);
    await backend.reserve(['mail'], 1);
    const busy = await doctor(env, '--waited=0.000001');
    expect(busy.code).toBe(0);
    expect(busy.about('queue mail')).toMatchObject([
      { level: 'warning', message: expect.stringContaining('workers take jobs, and are behind') },
    ]);
  });

  test('a paused queue that holds jobs is warned of', async () => {
    const { env, backend } = await open();
    await backend.store([newJob()]);
    await commandLine(['pause', '--queue=mail'], { env });
    const { code, about } = await doctor(env, '--waited=0.000001');
    expect(code).toBe(0);
    expect(about('queue mail')).toEqual([
      {
        topic: 'queue mail',
        level: 'warning',
        message: 'it is paused, and holds 1 job',
        mend: 'npx kinetis-queue resume --queue=mail, if nobody needs it paused',
      },
    ]);
  });
});

test('it prints a line for each, and below it the mend', async () => {
  const { env, backend } = await sqliteStore();
  await backend.store([newJob()]);
  const argv = ['doctor', '--waited=0.000001', '--observe=0.05'];
  const { code, out, err } = await commandLine(argv, { env });
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out.replaceAll(/\d+ m?s\b/g, '<time>')).toMatchInlineSnapshot(`
    "ok       connection  "default" is sql, from the environment: DB_DATABASE, QUEUE_CONNECTION, QUEUE_PREFIX
    ok       server      it answers, in <time>
    ok       schema      the tables are of version 1; this code needs 1
    ok       grants      the user may push, work, operate
    ok       settings    what is committed outlives its process; a power failure can cost the last commits (synchronous = normal)
    ok       clock       the server's clock is this machine's
    problem  queue mail  1 job waited, the oldest for <time>, and nobody takes one
                         mend: start a worker that watches it: node dist/worker --queue=mail
    "
  `);
});

test('missing tables are a problem, with the command that makes them', async () => {
  const env = { QUEUE_CONNECTION: 'sql', DB_DATABASE: await temporaryFile() };
  const { code, about } = await doctor(env);
  expect(code).toBe(1);
  expect(about('schema')).toEqual([
    {
      topic: 'schema',
      level: 'problem',
      message: expect.stringContaining('to be there'),
      mend: 'npx kinetis-queue migrate',
    },
  ]);
});

test.each(['redis', 'postgresql'])(
  'a server of %s that is not reached is a problem, and ends with 69',
  async (name) => {
    const [port = 0] = await freePorts(1);
    const env: Record<string, string> =
      name === 'redis'
        ? { QUEUE_CONNECTION: 'redis', REDIS_PORT: String(port), REDIS_PASSWORD: 'hunter2' }
        : {
            QUEUE_CONNECTION: 'sql',
            DB_DRIVER: name,
            DB_PORT: String(port),
            DB_DATABASE: 'q',
            DB_PASSWORD: 'hunter2',
          };
    const { code, findings } = await doctor(env);
    expect(code).toBe(69);
    expect(findings.at(-1)).toMatchObject({
      topic: 'server',
      level: 'problem',
      mend: 'docs/errors.md says more of QUEUE_CONNECTION_FAILED',
    });
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  },
);

test('a configuration that cannot be used ends with 64', async () => {
  expect((await commandLine(['doctor'], { env: {} })).code).toBe(64);
  expect((await doctor({ QUEUE_CONNECTION: 'sql' })).code).toBe(64);
});

test.runIf(isTested('postgres'))(
  'a user of PostgreSQL that may only push is told what it lacks to work',
  async () => {
    const found = STORES.find(([name]) => name === 'postgres');
    const { env } = await (found?.[1] ?? sqliteStore)();
    const driver = driverNamed('postgresql');
    const role = `kinetis_test_pusher_${process.pid}`;
    const database = env['DB_DATABASE'] ?? '';
    await administer(driver, `create role ${role} login password 'pusher'`, database);
    try {
      await administer(
        driver,
        `grant insert, select (id, queue, unique_key) on kinetis_queue_jobs to ${role};
       grant select (queue, state, due_at) on kinetis_queue_jobs to ${role};
       grant select (queue) on kinetis_queue_failed_jobs to ${role};
       grant select on kinetis_queue_paused_queues, kinetis_queue_schema to ${role}`,
        database,
      );
      const { code, about } = await doctor({ ...env, DB_USER: role, DB_PASSWORD: 'pusher' }, '--queue=mail');
      expect(code).toBe(0);
      expect(about('grants')).toMatchInlineSnapshot(`
        [
          {
            "level": "warning",
            "mend": "grant what docs/sql.md lists for its role; if it is meant to do no more, this is as it should be",
            "message": "the user may push; it lacks select, update, delete on kinetis_queue_jobs; insert, delete on kinetis_queue_failed_jobs; insert, delete on kinetis_queue_paused_queues",
            "topic": "grants",
          },
        ]
      `);
    } finally {
      await administer(driver, `drop owned by ${role}; drop role ${role}`, database);
    }
  },
);

test('a backend that cannot list its queues is asked by name', async () => {
  const store = await sqliteStore();
  await store.backend.store([newJob()]);
  const folder = await crippledFolder(store, { listQueues: false });
  const argv = ['doctor', '--json', '--config=config.mjs', '--waited=0.000001', '--observe=0.05'];
  const all = await commandLine(argv, { folder });
  expect(all.code).toBe(0);
  expect(all.out).toContain('"mend":"name them, --queue=mail,default"');
  expect((await commandLine([...argv, '--queue=mail'], { folder })).code).toBe(1);
});
