import type { Cluster, Redis } from 'ioredis';
import { keysOf } from '../redis-servers.js';

/**
 * Moves the times of a queue's place by ARGV[1] ms: scores, and for a ready job the time in its member that counts() reads.
 * KEYS: one of them.
 */
const MOVE = `
local kind = redis.call('TYPE', KEYS[1]).ok
local function moved(member)
  local head, since, rest = string.match(member, '^(q1' .. string.rep('|[^|]*', 10) .. '|)([^|]+)(|.*)$')
  return head and head .. string.format('%.3f', since - ARGV[1]) .. rest or member
end
if kind == 'list' then
  for index, member in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
    redis.call('LSET', KEYS[1], index - 1, moved(member))
  end
elseif kind == 'zset' then
  local members = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
  for i = 1, #members, 2 do
    if string.find(KEYS[1], ':prioritized$') then
      redis.call('ZREM', KEYS[1], members[i])
      redis.call('ZADD', KEYS[1], members[i + 1], moved(members[i]))
    else
      redis.call('ZADD', KEYS[1], string.format('%.3f', members[i + 1] - ARGV[1]), members[i])
    end
  end
end
`;

const PLACES = /:(pending|prioritized|delayed|leased)$/;

/** Time is the server's, so instead of it every stored time is moved, the other way. */
export async function passTime(client: Redis | Cluster, prefix: string, seconds: number): Promise<void> {
  const keys = (await keysOf(client, prefix)).filter((key) => PLACES.test(key));
  await Promise.all(keys.map((key) => client.eval(MOVE, 1, key, seconds * 1_000)));
}
