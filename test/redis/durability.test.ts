import { describe, expect, it } from 'vitest';
import { redis } from '../../lib/redis.js';
import { bareContext } from '../support/bare-context.js';
import { clientOf, privateRedis } from '../support/redis-queue.js';
import type { PrivateRedis } from '../support/private-redis.js';
import { isTested } from '../support/servers.js';

async function warningsOn(server: PrivateRedis, user = ''): Promise<string[]> {
  const warnings: string[] = [];
  const url = server.url.replace('//', `//${user}`);
  const backend = await redis({ url })(bareContext('default', (message) => warnings.push(message)));
  await backend.connect();
  await backend.close();
  return warnings;
}

describe.runIf(isTested('redis-cluster'))('at start', () => {
  it('a server that persists nothing is warned about', async () => {
    const server = await privateRedis();
    expect(await warningsOn(server)).toEqual([expect.stringMatching(/neither appendonly nor save/)]);
  });

  it('a server whose eviction may take whole queues is warned about', async () => {
    const server = await privateRedis(['--appendonly', 'yes', '--maxmemory-policy', 'allkeys-lru']);
    expect(await warningsOn(server), 'without a limit nothing is evicted').toEqual([]);
    await clientOf(server).config('SET', 'maxmemory', '100mb');
    expect(await warningsOn(server)).toEqual([expect.stringMatching(/maxmemory-policy is allkeys-lru/)]);
    await clientOf(server).config('SET', 'maxmemory-policy', 'noeviction');
    expect(await warningsOn(server)).toEqual([]);
  });

  it('a server that forbids to be asked is taken to be fine', async () => {
    const server = await privateRedis();
    const client = clientOf(server);
    await client.acl('SETUSER', 'shy', 'on', '>secret', '~*', '&*', '+@all', '-info', '-config');
    expect(await warningsOn(server, 'shy:secret@')).toEqual([]);
  });
});
