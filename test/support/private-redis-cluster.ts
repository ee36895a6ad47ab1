import { Cluster, Redis } from 'ioredis';
import { waitFor } from './eventually.js';
import { freePorts, PrivateRedis } from './private-redis.js';

const SLOTS = 16_384;
const MASTERS = 3;

/** A cluster of three masters of a test's own. */
export interface PrivateRedisCluster {
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  /** A plain client, for a test that looks past the queue. */
  readonly client: Cluster;
  /** Lets the nodes tell everybody other ports than those that they listen on; resolves when all of them do. */
  announce(ports: readonly number[]): Promise<void>;
  /** Ends one of the nodes as a crash would. */
  kill(node: number): Promise<void>;
  /** Starts a node again that was killed, and resolves when the cluster is whole. */
  start(node: number): Promise<void>;
  readonly servers: readonly PrivateRedis[];
  remove(): Promise<void>;
}

/** `options` of redis-server go to each node. */
export async function startRedisCluster(options: readonly string[] = []): Promise<PrivateRedisCluster> {
  const ports = await freePorts(2 * MASTERS);
  const buses = ports.slice(MASTERS);
  const servers = ports
    .slice(0, MASTERS)
    .map(
      (port, index) =>
        new PrivateRedis(port, [
          '--cluster-enabled',
          'yes',
          '--cluster-port',
          String(buses[index]),
          ...options,
        ]),
    );
  await Promise.all(servers.map((server) => server.start()));
  const admins = servers.map(({ port }) => new Redis(port));
  const bounds = servers.map((_, index) => Math.round((index * SLOTS) / MASTERS));
  for (const [index, admin] of admins.entries()) {
    await admin.call('cluster', 'addslotsrange', bounds[index] ?? 0, (bounds[index + 1] ?? SLOTS) - 1);
    await admin.call('cluster', 'set-config-epoch', index + 1);
  }
  for (const [index, server] of servers.entries()) {
    if (index > 0) await admins[0]?.call('cluster', 'meet', '127.0.0.1', server.port, buses[index] ?? 0);
  }
  for (const admin of admins) admin.disconnect();
  await whole(servers);
  const nodes = servers.map(({ port }) => ({ host: '127.0.0.1', port }));
  const client = new Cluster(nodes);
  return {
    nodes,
    client,
    announce: (announced) => announce(servers, buses, announced),
    async kill(node) {
      await servers[node]?.kill();
    },
    async start(node) {
      await servers[node]?.start();
      await whole(servers);
    },
    servers,
    async remove() {
      client.disconnect();
      await Promise.all(servers.map((server) => server.remove()));
    },
  };
}

/** Every node says that all slots are served. */
async function whole(servers: readonly PrivateRedis[]): Promise<void> {
  const admins = servers.map(({ port }) => new Redis(port));
  await waitFor('the cluster to be whole', async () => {
    const infos = await Promise.all(admins.map((admin) => admin.cluster('INFO')));
    return infos.every(
      (info) => info.includes('cluster_state:ok') && info.includes(`cluster_size:${MASTERS}`),
    );
  });
  for (const admin of admins) admin.disconnect();
}

async function announce(
  servers: readonly PrivateRedis[],
  buses: readonly number[],
  announced: readonly number[],
): Promise<void> {
  const admins = servers.map(({ port }) => new Redis(port));
  for (const [index, admin] of admins.entries()) {
    await admin.config('SET', 'cluster-announce-bus-port', String(buses[index]));
    await admin.config('SET', 'cluster-announce-port', String(announced[index]));
  }
  await waitFor('the nodes to know each other by other ports', async () => {
    const tables = await Promise.all(admins.map((admin) => admin.cluster('NODES') as Promise<string>));
    return tables.every((table) => announced.every((port) => table.includes(`:${port}@`)));
  });
  for (const admin of admins) admin.disconnect();
}
