import type { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RedisOptions } from '../../lib/redis.js';
import { Work } from '../support/apps/work.job.js';
import { startRedisCluster } from '../support/private-redis-cluster.js';
import { clientOf, openRedis, privateRedis } from '../support/redis-queue.js';
import { ServerBench } from '../support/server-bench.js';
import { queueOver } from '../support/server-queue.js';
import { isTested } from '../support/servers.js';

const JOBS = 3_000;
/** Pushed while the scripts are forgotten, too. */
const PUSH_SIZE = 100;
const PERSISTENT = ['--appendonly', 'yes'];

interface Store {
  readonly options: RedisOptions;
  readonly masters: readonly Redis[];
}

const stores: readonly [name: string, open: () => Promise<Store>][] = [
  [
    'one server',
    async () => {
      const server = await privateRedis(PERSISTENT);
      return { options: { url: server.url }, masters: [clientOf(server)] };
    },
  ],
  [
    'a cluster',
    async () => {
      const cluster = await startRedisCluster(PERSISTENT);
      onTestFinished(() => cluster.remove());
      await cluster.client.ping();
      return { options: { cluster: { nodes: cluster.nodes } }, masters: cluster.client.nodes('master') };
    },
  ],
];

/** Lets servers forget every script, again and again; answers how often. */
async function forgetScripts(masters: readonly Redis[], signal: AbortSignal): Promise<number> {
  let times = 0;
  for (; !signal.aborted; times += 1) await Promise.all(masters.map((master) => master.script('FLUSH')));
  return times;
}

describe.runIf(isTested('redis-cluster')).each(stores)(
  'on %s that forgets every script again and again',
  (name, open) => {
    it(`a worker runs ${JOBS} jobs once each and nobody notices`, { timeout: 60_000 }, async () => {
      const { options, masters } = await open();
      const queue = queueOver(await openRedis(options));
      const bench = new ServerBench({ driver: 'redis', ...options }, 90);
      onTestFinished(() => bench.close());
      bench.startWorker('--concurrency=10');
      const stop = new AbortController();
      const forgetting = forgetScripts(masters, stop.signal);
      for (let n = 0; n < JOBS; n += PUSH_SIZE) {
        await queue.pushMany(Array.from({ length: PUSH_SIZE }, (_, index) => new Work(n + index, 'quick')));
      }
      await bench.ledger.seen('JobSucceeded', JOBS, 40_000);
      stop.abort();
      const times = await forgetting;
      expect(await bench.stop()).toEqual([0]);
      const started = bench.ledger.of('start');
      console.log(`${name}: scripts were forgotten ${times} times while ${started.length} jobs ran`);
      expect(times).toBeGreaterThan(100);
      expect(started).toHaveLength(JOBS);
      expect(new Set(started.map(({ n }) => n)).size).toBe(JOBS);
      expect(bench.ledger.count('JobSucceeded')).toBe(JOBS);
      expect(bench.logged('warn', 'error', 'fatal')).toEqual([]);
      expect(bench.printed()).toEqual([]);
      expect(await queue.counts('work')).toMatchObject({ ready: 0, delayed: 0, reserved: 0, failed: 0 });
    });
  },
);
