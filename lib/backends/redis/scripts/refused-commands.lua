-- Which commands of the queue the server refuses to its user. Runs none of them.
-- KEYS: pending
-- ARGV: key of the registry, channel of the hints.
-- Result: their names.
local REGISTRY, HINTS = ARGV[1], ARGV[2]
local commands = {
  { 'PING' },
  { 'TIME' },
  { 'PUBLISH', HINTS, '' },
  { 'SUBSCRIBE', HINTS },
  { 'SADD', REGISTRY, '' },
  { 'SMEMBERS', REGISTRY },
  { 'SET', PENDING, '' },
  { 'DEL', PENDING },
  { 'INCR', PENDING },
  { 'STRLEN', PENDING },
  { 'EXISTS', PENDING },
  { 'LPUSH', PENDING, '' },
  { 'RPUSH', PENDING, '' },
  { 'RPOP', PENDING },
  { 'LLEN', PENDING },
  { 'LRANGE', PENDING, '0', '0' },
  { 'LTRIM', PENDING, '0', '0' },
  { 'LREM', PENDING, '0', '' },
  { 'ZADD', PENDING, '0', '' },
  { 'ZREM', PENDING, '' },
  { 'ZSCORE', PENDING, '' },
  { 'ZCARD', PENDING },
  { 'ZCOUNT', PENDING, '0', '0' },
  { 'ZRANGE', PENDING, '0', '0' },
  { 'ZRANGEBYSCORE', PENDING, '0', '0' },
  { 'ZREVRANGE', PENDING, '0', '0' },
  { 'ZREVRANGEBYSCORE', PENDING, '0', '0' },
  { 'ZREMRANGEBYRANK', PENDING, '0', '0' },
  { 'HSET', PENDING, '', '' },
  { 'HSETNX', PENDING, '', '' },
  { 'HGET', PENDING, '' },
  { 'HDEL', PENDING, '' },
  { 'HLEN', PENDING },
  { 'HEXISTS', PENDING, '' },
  { 'HKEYS', PENDING },
}
local refused = {}
for _, command in ipairs(commands) do
  if not redis.acl_check_cmd(unpack(command)) then refused[#refused + 1] = command[1] end
end
return refused
