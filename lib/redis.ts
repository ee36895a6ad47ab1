export { redis } from './backends/redis/redis.js';
export type { RedisClusterOptions, RedisOptions } from './backends/redis/redis.options.js';
