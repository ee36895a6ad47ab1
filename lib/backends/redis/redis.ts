import type { BackendFactory } from '../../contract/index.js';
import { importIoRedis } from './import-ioredis.js';
import { RedisBackend } from './redis.backend.js';
import { redisSettings, type RedisOptions } from './redis.options.js';

/**
 * Jobs in Redis 7, reached through ioredis: one server, behind Sentinel, or a Cluster, where each queue lives on one
 * node. What is promised is as durable as the server: `appendonly yes`, and a `maxmemory-policy` of `noeviction`.
 *
 * Throws `QueueConfigurationException` for an option that cannot be used; the factory rejects with
 * `QueueUnavailableException` when ioredis is not installed.
 *
 * @publicApi
 */
export function redis(options: RedisOptions = {}): BackendFactory {
  const settings = redisSettings(options);
  return async (context) => {
    await importIoRedis();
    return new RedisBackend(settings, (message) => context.warn(message));
  };
}
