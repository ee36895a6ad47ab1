import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { headOf } from '../../../lib/backends/redis/member.js';
import { queueKey } from '../../../lib/backends/redis/queue-keys.js';
import { REDIS_CAPABILITIES } from '../../../lib/backends/redis/redis.capabilities.js';
import type { QueueBackend } from '../../../lib/contract/index.js';
import { redis } from '../../../lib/redis.js';
import { type ConformanceHarness, type RawItem, testBackendContext } from '../../../lib/testing.js';
import { redisRequests } from '../redis-requests.js';
import { deleteKeys, plainClient, redisTestUrl } from '../redis-servers.js';
import { TcpProxy } from '../tcp-proxy.js';
import { passTime } from './redis-time.js';

export interface RedisHarness {
  readonly harness: ConformanceHarness;
  /** Deletes every key. */
  close(): Promise<void>;
}

/** A number and its digits are one in a delimited header, and so are null and no text. */
export const REDIS_CANNOT_HOLD = ['header.v: "1"', 'header.uniqueKey: ""'];

/** The redis backend on the tests' server, under a prefix of its own, over a wire that can be cut. */
export async function openRedisHarness(): Promise<RedisHarness> {
  const prefix = `kinetis_test_${randomBytes(6).toString('hex')}`;
  const url = redisTestUrl();
  const foreign = plainClient(url);
  const wire = await TcpProxy.open({
    host: url.hostname,
    port: Number(url.port) || 6379,
    reader: redisRequests,
  });
  const through = new URL(url);
  through.host = `127.0.0.1:${wire.port}`;
  const newBackend = async (leaseSeconds: number): Promise<QueueBackend> =>
    redis({ url: through.href, prefix, leaseSeconds })(testBackendContext());
  return {
    harness: {
      name: 'redis',
      capabilities: REDIS_CAPABILITIES,
      facilities: ['clock', 'storeRaw', 'second', 'silence'],
      cannotHold: REDIS_CANNOT_HOLD,
      async open({ leaseSeconds }) {
        const backends = [await newBackend(leaseSeconds)];
        return {
          backend: backends[0] as QueueBackend,
          advance: (seconds) => passTime(foreign, prefix, seconds),
          storeRaw: (item) => pushRaw(foreign, prefix, item),
          async silence(part) {
            void wire.lose(part);
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
    },
    async close() {
      await deleteKeys(foreign, prefix);
      foreign.disconnect();
      await wire.close();
    },
  };
}

/** Pushes what no push would, as a foreign writer that knows the places of a queue. */
export async function pushRaw(
  client: Pick<Redis, 'lpush'>,
  prefix: string,
  { queue, header, body }: RawItem,
): Promise<void> {
  const bytes = Buffer.from(body);
  const head =
    header === null ? '' : `q1|${headOf(header, randomBytes(16).toString('hex'))}|${Date.now()}|||`;
  await client.lpush(queueKey(prefix, queue, 'pending'), Buffer.concat([Buffer.from(head), bytes]));
}
