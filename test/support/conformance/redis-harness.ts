import { randomBytes } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { headOf } from '../../../lib/backends/redis/member.js';
import { queueKey } from '../../../lib/backends/redis/queue-keys.js';
import { REDIS_CAPABILITIES } from '../../../lib/backends/redis/redis.capabilities.js';
import type { QueueBackend } from '../../../lib/contract/index.js';
import { redis, type RedisOptions } from '../../../lib/redis.js';
import { type ConformanceHarness, type RawItem, testBackendContext } from '../../../lib/testing.js';
import { startRedisCluster } from '../private-redis-cluster.js';
import { redisRequests } from '../redis-requests.js';
import { deleteKeys, plainClient, redisTestUrl } from '../redis-servers.js';
import { TcpProxy } from '../tcp-proxy.js';
import { passTime } from './redis-time.js';

export interface RedisHarness {
  readonly harness: ConformanceHarness;
  /** Deletes every key, or ends the servers. */
  close(): Promise<void>;
}

/** What a harness is made on: a way in for the backend, another for the test, and the wires between. */
interface Store {
  readonly name: string;
  readonly prefix: string;
  readonly options: RedisOptions;
  readonly foreign: Redis | Cluster;
  /** Loses the next request that stores or settles, or its answer; null where there is no wire to lose it on. */
  readonly lose: ((part: 'request' | 'answer') => void) | null;
}

/** A number and its digits are one in a delimited header, and so are null and no text. */
const CANNOT_HOLD = ['header.v: "1"', 'header.uniqueKey: ""'];

function newPrefix(): string {
  return `kinetis_test_${randomBytes(6).toString('hex')}`;
}

/** The redis backend on the tests' server, under a prefix of its own, over a wire that can be cut. */
export async function openRedisHarness(): Promise<RedisHarness> {
  const prefix = newPrefix();
  const url = redisTestUrl();
  const foreign = plainClient(url);
  const port = Number(url.port) || 6379;
  const wire = await TcpProxy.open({ host: url.hostname, port, reader: redisRequests });
  const through = new URL(url);
  through.host = `127.0.0.1:${wire.port}`;
  const lose = (part: 'request' | 'answer'): void => void wire.lose(part);
  return {
    harness: harnessOn({ name: 'redis', prefix, foreign, options: { url: through.href }, lose }),
    async close() {
      await deleteKeys(foreign, prefix);
      foreign.disconnect();
      await wire.close();
    },
  };
}

/** The redis backend on a cluster of its own, with nothing but the addresses of its nodes. */
export async function openRedisClusterHarness(): Promise<RedisHarness> {
  const { nodes, client, remove } = await startRedisCluster();
  const options = { cluster: { nodes: [...nodes] } };
  const name = 'redis-cluster';
  return {
    harness: harnessOn({ name, prefix: newPrefix(), foreign: client, options, lose: null }),
    close: remove,
  };
}

/** The same, each node behind a wire that can be cut. */
export async function openWiredRedisClusterHarness(): Promise<RedisHarness> {
  const cluster = await startRedisCluster();
  const losses = { armed: false };
  const reader = (): ReturnType<typeof redisRequests> => {
    const read = redisRequests();
    return (chunk) => (losses.armed ? read(chunk) : { writes: false, commits: false });
  };
  const wires = await Promise.all(cluster.nodes.map((node) => TcpProxy.open({ ...node, reader })));
  const ports = wires.map(({ port }) => port);
  await cluster.announce(ports);
  return {
    harness: harnessOn({
      name: 'redis-cluster behind wires',
      prefix: newPrefix(),
      foreign: cluster.client,
      options: { cluster: { nodes: ports.map((port) => ({ host: '127.0.0.1', port })) } },
      // Whichever wire has it first; the others then let everything through.
      lose: (part) => {
        losses.armed = true;
        void Promise.race(wires.map((wire) => wire.lose(part))).then(() => (losses.armed = false));
      },
    }),
    async close() {
      await Promise.all(wires.map((wire) => wire.close()));
      await cluster.remove();
    },
  };
}

function harnessOn({ name, prefix, options, foreign, lose }: Store): ConformanceHarness {
  const newBackend = async (leaseSeconds: number): Promise<QueueBackend> =>
    redis({ ...options, prefix, leaseSeconds })(testBackendContext());
  return {
    name,
    capabilities: REDIS_CAPABILITIES,
    facilities: [
      'clock',
      'storeRaw',
      'second',
      ...(lose === null ? [] : (['silence', 'silenceAck'] as const)),
    ],
    cannotHold: CANNOT_HOLD,
    async open({ leaseSeconds }) {
      const backends = [await newBackend(leaseSeconds)];
      return {
        backend: backends[0] as QueueBackend,
        advance: (seconds) => passTime(foreign, prefix, seconds),
        storeRaw: (item) => pushRaw(foreign, prefix, item),
        async silence(part) {
          lose?.(part);
        },
        async second() {
          const backend = await newBackend(leaseSeconds);
          backends.push(backend);
          return backend;
        },
        async close() {
          for (const backend of backends) await backend.close();
          await deleteKeys(foreign, prefix);
        },
      };
    },
  };
}

/** Pushes what no push would, as a foreign writer that knows the places of a queue. */
async function pushRaw(
  client: Redis | Cluster,
  prefix: string,
  { queue, header, body }: RawItem,
): Promise<void> {
  const id = randomBytes(16).toString('hex');
  const head = header === null ? '' : `q1|${headOf(header, id)}|${Date.now()}|||`;
  await client.lpush(
    queueKey(prefix, queue, 'pending'),
    Buffer.concat([Buffer.from(head), Buffer.from(body)]),
  );
}
