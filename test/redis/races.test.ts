import { describe, expect, it } from 'vitest';
import { newJob, newPrefix, openRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

const ROUNDS = 1_000;

describe.runIf(isTested('redis'))('an expired lease', () => {
  it('that two sweepers and a settlement reach for has one winner, 1000 times', async () => {
    const { prefix } = newPrefix();
    const holder = await openRedis({ prefix, leaseSeconds: 0.001 });
    const sweepers = [await openRedis({ prefix }), await openRedis({ prefix })];
    const wins = { settled: 0, swept: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      await holder.store([newJob()]);
      const [item] = await holder.reserve(['mail'], 1);
      const ack = { operation: 'ack', receipt: item?.receipt, followUps: [] } as const;
      const [outcomes, ...sweeps] = await Promise.all([
        holder.settle([ack]),
        ...sweepers.map((sweeper) => sweeper.reserve(['mail'], 1)),
      ]);
      const settled = outcomes[0]?.status === 'applied' ? 1 : 0;
      const swept = sweeps.flat();
      expect(settled + swept.length, 'somebody has the job, and nobody but him').toBeLessThanOrEqual(1);
      wins.settled += settled;
      wins.swept += swept.length;
      // A lease that had not ended yet when they looked: nobody but the settlement could have it.
      if (settled + swept.length === 0) throw new Error('Nobody has the job.');
      const acks = swept.map(({ receipt }) => ({ operation: 'ack', receipt, followUps: [] }) as const);
      for (const outcome of await holder.settle(acks)) expect(outcome.status).toBe('applied');
      expect((await holder.settle([ack]))[0]?.status).toBe('stale');
    }
    const { ready, reserved } = await holder.count('mail');
    expect([ready, reserved, wins.settled + wins.swept]).toEqual([0, 0, ROUNDS]);
  });
});
