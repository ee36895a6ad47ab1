import { describe, expect, it } from 'vitest';
import type { RedisBackend } from '../../lib/backends/redis/redis.backend.js';
import { waitFor } from '../support/eventually.js';
import { newJob, newPrefix, openRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

const ROUNDS = 1_000;

describe.runIf(isTested('redis'))('an expired lease', () => {
  it(
    'that two sweepers and a settlement reach for has one winner, 1000 times',
    { timeout: 120_000 },
    async () => {
      const { prefix } = newPrefix();
      const holder = await openRedis({ prefix, leaseSeconds: 0.001 });
      const sweepers = [await openRedis({ prefix }), await openRedis({ prefix })];
      const wins = { settled: 0, swept: 0 };
      for (let round = 0; round < ROUNDS; round += 1) {
        await holder.store([newJob()]);
        const [item] = await holder.reserve(['mail'], 1);
        const ack = { operation: 'ack', receipt: item?.receipt, followUps: [] } as const;
        await waitFor('the end of the lease', async () => (await holder.count('mail')).ready === 1);
        // Whoever sends first mostly wins, so they take turns.
        const early = round % 2 === 0 ? sweepers : [];
        const late = round % 2 === 0 ? [] : sweepers;
        const sweep = (sweeper: RedisBackend) => sweeper.reserve(['mail'], 1);
        const first = early.map(sweep);
        const settling = holder.settle([ack]);
        // A settlement is sent at the end of the turn.
        await new Promise((resolve) => process.nextTick(resolve));
        const [outcomes, ...sweeps] = await Promise.all([settling, ...first, ...late.map(sweep)]);
        const settled = outcomes[0]?.status === 'applied' ? 1 : 0;
        const swept = sweeps.flat();
        expect(settled + swept.length, 'somebody has the job, and nobody but him').toBe(1);
        wins.settled += settled;
        wins.swept += swept.length;
        const acks = swept.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as const);
        for (const outcome of await holder.settle(acks)) expect(outcome.status).toBe('applied');
        expect((await holder.settle([ack]))[0]?.status).toBe('stale');
      }
      const { ready, reserved } = await holder.count('mail');
      expect([ready, reserved, wins.settled + wins.swept]).toEqual([0, 0, ROUNDS]);
      expect(Math.min(wins.settled, wins.swept), 'both have won').toBeGreaterThan(0);
      console.log(`won by the settlement ${wins.settled} times, by a sweeper ${wins.swept} times`);
    },
  );
});
