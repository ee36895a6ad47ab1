import { describe, expect, it } from 'vitest';
import { queueKey } from '../../lib/backends/redis/queue-keys.js';
import { newJob, newPrefix, openRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

describe.runIf(isTested('redis'))('a store over two queues of which the server refuses one', () => {
  it('stores all of the one and none of the other, and says which', async () => {
    const { prefix, client } = newPrefix();
    const backend = await openRedis({ prefix });
    await client.set(queueKey(prefix, 'broken', 'pending'), 'a stranger');
    const jobs = ['mail', 'broken', 'mail', 'broken'].map((queue) => ({ ...newJob(), queue }));
    const outcomes = await backend.store(jobs);
    expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'refused', 'applied', 'refused']);
    await client.del(queueKey(prefix, 'broken', 'pending'));
    expect(await backend.reserve(['broken', 'mail'], 10)).toHaveLength(2);
  });
});
