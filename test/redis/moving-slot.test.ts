import type { Cluster, Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { queueKey } from '../../lib/backends/redis/queue-keys.js';
import { waitFor } from '../support/eventually.js';
import { startRedisCluster } from '../support/private-redis-cluster.js';
import { idOf, newJob, openRedis } from '../support/redis-queue.js';
import { documentedRights } from '../support/redis-rights.js';
import { isTested } from '../support/servers.js';

interface Move {
  readonly slot: number;
  readonly from: Redis;
  readonly to: Redis;
  readonly toId: string;
}

/** Begins to move the slot of a queue to another node; its keys stay where they are. */
async function beginMove(cluster: Cluster, queue: string): Promise<Move> {
  const slot = (await cluster.cluster('KEYSLOT', queueKey('kinetis_queue', queue, 'pending'))) as number;
  const masters = cluster.nodes('master');
  const from = masters.find(
    ({ options }) => cluster.slots[slot]?.[0] === `127.0.0.1:${options.port}`,
  ) as Redis;
  const to = masters.find((node) => node !== from) as Redis;
  const [fromId, toId] = await Promise.all(
    [from, to].map((node) => node.call('cluster', 'myid') as Promise<string>),
  );
  await to.call('cluster', 'setslot', slot, 'importing', fromId ?? '');
  await from.call('cluster', 'setslot', slot, 'migrating', toId ?? '');
  return { slot, from, to, toId: toId ?? '' };
}

async function endMove({ slot, from, to, toId }: Move): Promise<void> {
  const keys = (await from.call('cluster', 'getkeysinslot', slot, 100)) as string[];
  const { host = '', port = 0 } = to.options;
  if (keys.length > 0) await from.call('migrate', host, port, '', 0, 5_000, 'keys', ...keys);
  for (const node of [to, from]) await node.call('cluster', 'setslot', slot, 'node', toId);
}

describe.runIf(isTested('redis-cluster'))('a queue whose slot moves to another node', () => {
  it('refuses a push on the way, whoever may not ask, and goes on where it arrives', async () => {
    const cluster = await startRedisCluster();
    onTestFinished(() => cluster.remove());
    await cluster.client.ping();
    const rules = documentedRights().onCluster;
    for (const node of cluster.client.nodes('master')) {
      await node.acl('SETUSER', 'queue', ...rules);
      await node.acl('SETUSER', 'shy', ...rules, '-asking');
    }
    const openAs = (username: string) => {
      const redisOptions = { username, password: 'hunter2' };
      return openRedis({ cluster: { nodes: cluster.nodes, options: { redisOptions } } });
    };
    const [backend, shy] = [await openAs('queue'), await openAs('shy')];
    const [first, second] = [newJob(), newJob()];
    for (const own of [backend, shy]) await own.store([newJob({ queue: 'other' })]);
    await backend.store([first]);
    // Of a queue without a key the old node says: ask the other one.
    const moves = [await beginMove(cluster.client, 'mail'), await beginMove(cluster.client, 'empty')];
    for (const own of [backend, shy]) {
      const outcomes = await own.store([newJob(), newJob({ queue: 'empty' })]);
      expect(outcomes.map(({ status }) => status)).toEqual(['refused', 'refused']);
    }
    for (const move of moves) await endMove(move);
    await waitFor('a push to the other node', async () => {
      return (await backend.store([second]))[0]?.status === 'applied';
    });
    expect((await backend.reserve(['mail'], 5)).map(idOf)).toEqual([first.id, second.id]);
    expect(await moves[0]?.to.zcard(queueKey('kinetis_queue', 'mail', 'leased'))).toBe(2);
    const denied = await Promise.all(cluster.client.nodes('master').map((node) => node.acl('LOG')));
    expect(
      denied
        .flatMap((log) => log as unknown[])
        .map(String)
        .filter((entry) => entry.includes('queue')),
    ).toEqual([]);
  });
});
