-- Acknowledges deliveries of one queue whose jobs hold nothing beside their members, and that nothing follows.
-- KEYS: leased, running
-- ARGV: their tokens.
-- Result: for each 1, or 0 when it is stale.
-- @types-first
local applied = {}
for i, token in ipairs(ARGV) do applied[i] = redis.call('HDEL', RUNNING, token) end
-- Last; see parts/delivery.lua.
redis.call('ZREM', LEASED, unpack(ARGV))
return applied
