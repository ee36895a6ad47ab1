import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RedisOptions } from '../../lib/redis.js';
import { waitFor } from '../support/eventually.js';
import { LONG } from '../support/long.js';
import { startRedisCluster } from '../support/private-redis-cluster.js';
import { newPrefix, openRedis } from '../support/redis-queue.js';
import { ServerLoad } from '../support/server-load.js';
import { isTested } from '../support/servers.js';

const SECONDS = LONG ? 30 : 5;
const LEASE_SECONDS = 2;

const stores: readonly [name: string, open: () => Promise<RedisOptions>][] = [
  ['redis', async () => ({ prefix: newPrefix().prefix })],
  [
    'redis-cluster',
    async () => {
      const cluster = await startRedisCluster();
      onTestFinished(() => cluster.remove());
      return { cluster: { nodes: cluster.nodes } };
    },
  ],
];

describe.each(stores)('three reservers, two pushers and a promoter on %s', (name, openStore) => {
  it.runIf(isTested(name))(
    `lose nothing and end each job once in ${SECONDS} s in each other's way`,
    { timeout: (SECONDS + 60) * 1_000 },
    async () => {
      const options = { ...(await openStore()), leaseSeconds: LEASE_SECONDS };
      const load = new ServerLoad();
      const pushers = [load.push(await openRedis(options)), load.push(await openRedis(options))];
      const others = [
        load.reserve(await openRedis(options)),
        load.reserve(await openRedis(options)),
        load.reserve(await openRedis(options)),
        load.promote(await openRedis(options)),
      ];
      await pause(SECONDS * 1_000);
      load.stopPushing();
      await Promise.all(pushers);
      await waitFor('the end of every job', () => load.open === 0, 40_000).finally(() => load.stop());
      await Promise.all(others);
      console.log(`${name}: ${load.pushed} jobs, ${JSON.stringify(load.tally)}`);
      expect(load.errors).toEqual([]);
      expect([...load.ended].filter(([, times]) => times !== 1)).toEqual([]);
      expect(load.pushed).toBeGreaterThan(100);
      const witness = await openRedis(options);
      let failed = 0;
      for (const queue of ['first', 'second', 'third']) {
        const counts = await witness.count(queue);
        expect(counts).toMatchObject({ ready: 0, delayed: 0, reserved: 0 });
        failed += counts.failed ?? 0;
      }
      expect(failed).toBe(load.tally.failed);
    },
  );
});
