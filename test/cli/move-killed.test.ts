import { expect, test } from 'vitest';
import type { QueueBackend } from '../../lib/contract/index.js';
import { waitFor } from '../support/eventually.js';
import { idOf, newJob } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';
import { folderWith } from './support/config-file.js';
import { kinetisQueue } from './support/kinetis-queue.js';
import { redisStore, sqliteStore } from './support/stores.js';

/** Jobs that the mover takes at a time. */
const STEP = 100;
const LEASE_SECONDS = 2;

/** The ids of all jobs of a queue, taken as a worker takes them. */
async function drained(backend: QueueBackend): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const items = await backend.reserve(['mail'], 500);
    if (items.length === 0) return ids;
    ids.push(...items.map(idOf));
    await backend.settle(items.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as never));
  }
}

/** Kills the mover between the two stores: what it stored at the destination is not settled at the source yet. */
function killsIn(step: number): string {
  return `
  const settle = (settlements) => {
    calls += 1;
    if (calls === ${step}) process.kill(process.pid, 'SIGKILL');
    return backend.settle(settlements);
  };
  return Object.create(backend, { settle: { value: settle } });`;
}

const move = ['move', '--from=default', '--to=target'];

interface Killed {
  readonly jobs: number;
  readonly killedIn: number;
  /** What the destination does instead of what Redis does, as code. */
  readonly target?: string;
}

/** Moves from SQLite to Redis, kills the mover in a step, and starts it again when the leases of that step have ended. */
async function killedAndAgain({ jobs: count, killedIn, target: changed = 'return backend;' }: Killed) {
  const source = await sqliteStore();
  const target = await redisStore('target');
  const jobs = Array.from({ length: count }, () => newJob());
  for (let from = 0; from < count; from += 500) await source.backend.store(jobs.slice(from, from + 500));
  const lib = `${process.cwd()}/dist/lib`;
  const connection = { driver: 'sqlite', file: source.env['DB_DATABASE'] };
  const sqlite = JSON.stringify({ connection, leaseSeconds: LEASE_SECONDS });
  const redis = JSON.stringify({
    url: target.env['REDIS_TARGET_URL'],
    prefix: target.env['QUEUE_TARGET_PREFIX'],
  });
  const connections = (change: string) => `
    import { sql } from ${JSON.stringify(`${lib}/sql.js`)};
    import { redis } from ${JSON.stringify(`${lib}/redis.js`)};
    let calls = 0;
    export default {
      default: async (context) => { const backend = await sql(${sqlite})(context); ${change} },
      target: async (context) => { const backend = await redis(${redis})(context); ${changed} },
    };`;
  const folder = await folderWith({
    'killed.mjs': connections(killsIn(killedIn)),
    'config.mjs': connections('return backend;'),
  });
  const killed = await kinetisQueue([...move, '--config=killed.mjs'], { folder });
  expect(killed.code).toBe('SIGKILL');
  const ready = count - killedIn * STEP;
  expect(await source.backend.count('mail')).toMatchObject({ ready, reserved: STEP });
  expect(await target.backend.count('mail')).toMatchObject({ ready: killedIn * STEP });
  const isBack = async () => (await source.backend.count('mail')).reserved === 0;
  await waitFor('the leases of the killed mover to end', isBack);
  const again = await kinetisQueue([...move, '--config=config.mjs'], { folder });
  expect(await source.backend.count('mail')).toMatchObject({ ready: 0, delayed: 0, reserved: 0 });
  return {
    killed,
    again,
    sent: jobs.map(({ id }) => id).sort(),
    arrived: (await drained(target.backend)).sort(),
  };
}

test.runIf(isTested('redis'))(
  '10,000 jobs from SQLite to Redis, the mover killed half way and started again: each arrives once',
  async () => {
    const { killed, again, sent, arrived } = await killedAndAgain({ jobs: 10_000, killedIn: 50 });
    expect(killed.err).toContain('mail: 4,000 of 10,000 (40 %)');
    expect({ code: again.code, out: again.out }).toEqual({
      code: 0,
      out: '"mail": moved 5,000 jobs\n  moved before: 100 jobs\n',
    });
    expect(arrived).toEqual(sent);
  },
);

test.runIf(isTested('redis'))(
  'where the destination cannot be looked into, the jobs of the step that was killed arrive twice, and no others',
  async () => {
    const target = `
      const capabilities = { ...backend.capabilities, browse: false };
      return Object.create(backend, { capabilities: { value: capabilities } });`;
    const { sent, arrived } = await killedAndAgain({ jobs: 500, killedIn: 3, target });
    expect([...new Set(arrived)]).toEqual(sent);
    expect(arrived.length - sent.length).toBe(STEP);
  },
);
