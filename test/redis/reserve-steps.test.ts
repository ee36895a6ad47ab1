import { describe, expect, it } from 'vitest';
import { clientOf, idOf, newJob, openRedis, privateRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

const JOBS = 2_500;

describe.runIf(isTested('redis-cluster'))('a reserve of thousands', () => {
  it('goes in steps of a thousand, and has all of them, in order', async () => {
    const server = await privateRedis();
    const client = clientOf(server);
    const backend = await openRedis({ url: server.url });
    const jobs = Array.from({ length: JOBS }, () => newJob());
    await backend.store(jobs);
    await client.config('RESETSTAT');
    const items = await backend.reserve(['mail', 'other'], 2 * JOBS);
    expect(items.map(idOf)).toEqual(jobs.map(({ id }) => id));
    const [, scripts = ''] = /cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats')) ?? [];
    // Three of this queue, one of the other.
    expect(Number(scripts)).toBe(4);
  });
});
