import type { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { queueKey } from '../../lib/backends/redis/queue-keys.js';
import { waitFor } from '../support/eventually.js';
import { type PrivateRedisCluster, startRedisCluster } from '../support/private-redis-cluster.js';
import { freePorts, PrivateRedis } from '../support/private-redis.js';
import { clientOf, idOf, newJob, openRedis } from '../support/redis-queue.js';
import { isTested } from '../support/servers.js';

const PENDING = queueKey('kinetis_queue', 'mail', 'pending');
/** After this a node that says nothing is taken to be gone. */
const NODE_TIMEOUT = ['--cluster-node-timeout', '1000'];

/** Which node of the cluster holds the queue. */
async function holderOf({ client, nodes }: PrivateRedisCluster): Promise<{ place: number; node: Redis }> {
  for (const node of client.nodes('master')) {
    const isHeld = await node.exists(PENDING).catch(() => 0);
    if (isHeld === 1) return { place: nodes.findIndex(({ port }) => port === node.options.port), node };
  }
  throw new Error('Expected a node that holds the queue, came none.');
}

/** Another node, which follows a master of the cluster. */
async function addReplica(of: Redis): Promise<PrivateRedis> {
  const [port = 0, bus = 0] = await freePorts(2);
  const replica = new PrivateRedis(port, [
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    String(bus),
    ...NODE_TIMEOUT,
  ]);
  onTestFinished(() => replica.remove());
  await replica.start();
  const client = clientOf(replica);
  await of.call('cluster', 'meet', '127.0.0.1', port, bus);
  const master = (await of.call('cluster', 'myid')) as string;
  await waitFor('the replica to know its master', async () => {
    return (await client.call('cluster', 'replicate', master).catch(() => '')) === 'OK';
  });
  await waitFor('the replica to have everything', async () => {
    return (await client.info('replication')).includes('master_link_status:up');
  });
  return replica;
}

describe.runIf(isTested('redis-cluster'))('a queue whose master is killed', () => {
  it('goes on where its replica took over, with the same connection of the queue', async () => {
    const cluster = await startRedisCluster(NODE_TIMEOUT);
    onTestFinished(() => cluster.remove());
    const backend = await openRedis({ cluster: { nodes: cluster.nodes }, commandTimeoutMs: 1_000 });
    const before = newJob();
    await backend.store([before]);
    await cluster.client.ping();
    const { place, node } = await holderOf(cluster);
    await addReplica(node);
    await cluster.kill(place);
    // Each try is a job of its own: one that came to nothing may be of unknown outcome.
    const after = await waitFor('a push to the new master', async () => {
      const job = newJob();
      return (await backend.store([job]))[0]?.status === 'applied' && job;
    });
    const ids = (await backend.reserve(['mail'], 10)).map(idOf);
    expect(ids[0]).toBe(before.id);
    expect(ids).toContain(after.id);
  });
});
