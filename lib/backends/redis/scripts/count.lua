-- Counts a queue by time and not by place: what is due or expired is ready.
-- KEYS: pending, delayed, leased, prioritized, failed-index, paused
-- ARGV: none.
-- Result: ready, delayed, reserved, failed, ms since the oldest ready job became ready (-1: none is), paused (1 or 0).
-- The oldest is looked for among the first and last 100 of each place.
-- @include now, member
local function split(key)
  local due = redis.call('ZCOUNT', key, '-inf', ms(now))
  return due, redis.call('ZCARD', key) - due
end

local oldest = now + 1
local function look(members)
  for _, member in ipairs(members) do
    local job = read(member)
    local since = job and tonumber(job[11])
    if since and since < oldest then oldest = since end
  end
end

local pending, prioritized = redis.call('LLEN', PENDING), redis.call('ZCARD', PRIORITIZED)
local due, delayed = split(DELAYED)
local expired, reserved = split(LEASED)
look(redis.call('LRANGE', PENDING, -100, -1))
look(redis.call('ZRANGE', PRIORITIZED, 0, 99))
look(redis.call('ZRANGE', PRIORITIZED, -100, -1))
for _, key in ipairs({ DELAYED, LEASED }) do
  local score = tonumber(redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2])
  if score and score < oldest then oldest = score end
end
return {
  pending + prioritized + due + expired, delayed, reserved, redis.call('ZCARD', FAILED_INDEX),
  oldest > now and '-1' or ms(now - oldest), redis.call('STRLEN', PAUSED) > 0 and 1 or 0,
}
