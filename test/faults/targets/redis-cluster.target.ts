import { queueKey } from '../../../lib/backends/redis/queue-keys.js';
import { redis, type RedisOptions } from '../../../lib/redis.js';
import { waitFor } from '../../support/eventually.js';
import { type PrivateRedisCluster, startRedisCluster } from '../../support/private-redis-cluster.js';
import type { PrivateRedis } from '../../support/private-redis.js';
import { FAULT_QUEUE, type FaultServer, type TargetKind } from '../target.js';
import { FENCED_LEASES } from './delivery-rules.js';
import { faultEnvironment } from './fault-environment.js';
import type { Address } from './fault-wire.js';
import { COMMAND_TIMEOUT_MS, DURABLE, REDIS_PROTOCOL } from './redis.target.js';
import { storedTarget } from './stored-target.js';
import { newTestName } from './test-name.js';
import { openWays } from './ways.js';

/** Three masters without replicas: the server that is killed or stopped is the one that holds the queue. */
export const redisClusterTarget: TargetKind = {
  name: 'redis-cluster',
  rules: FENCED_LEASES,
  async open({ needs, leaseSeconds }) {
    const cluster = await startRedisCluster(needs.server ? DURABLE : []);
    const prefix = newTestName();
    const optionsAt = (nodes: readonly Address[]): RedisOptions => ({
      cluster: { nodes, options: { natMap: natMapOf(cluster.nodes, nodes) } },
      prefix,
      leaseSeconds,
      ...(needs.server || needs.proxy ? { commandTimeoutMs: COMMAND_TIMEOUT_MS } : {}),
    });
    const ways = await openWays(cluster.nodes, REDIS_PROTOCOL, needs.proxy);
    return storedTarget({
      kind: redisClusterTarget,
      leaseSeconds,
      environment: (role) => faultEnvironment({ driver: 'redis', options: optionsAt(ways.addresses[role]) }),
      direct: redis(optionsAt(cluster.nodes)),
      server: needs.server ? await holderFaults(cluster, queueKey(prefix, FAULT_QUEUE, 'pending')) : null,
      proxies: ways.proxies,
      async remove() {
        await ways.close();
        await cluster.remove();
      },
    });
  },
};

/** Where a client finds each node, by the address that the nodes tell. */
function natMapOf(
  nodes: readonly Address[],
  found: readonly Address[],
): Record<string, { host: string; port: number }> {
  return Object.fromEntries(
    nodes.map(({ host, port }, index) => [`${host}:${port}`, { ...(found[index] as Address) }]),
  );
}

/** Faults of the node that holds a key. */
async function holderFaults(cluster: PrivateRedisCluster, key: string): Promise<FaultServer> {
  const slot = await cluster.client.cluster('KEYSLOT', key);
  const owner = await waitFor('the table of slots', () => cluster.client.slots[slot]?.[0]);
  const place = cluster.nodes.findIndex(({ host, port }) => `${host}:${port}` === owner);
  const server = cluster.servers[place] as PrivateRedis | undefined;
  if (server === undefined) throw new Error(`Expected a node that holds slot ${slot}, came ${owner}.`);
  return {
    kill: () => server.kill(),
    restart: () => cluster.start(place),
    stop: () => server.freeze(),
    continue: () => server.resume(),
  };
}
