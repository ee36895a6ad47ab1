export { redis } from './redis.js';
export type { RedisClusterOptions, RedisOptions } from './redis.options.js';
