-- Removes one ready or delayed job, if it still stands where it was found.
-- KEYS: pending, delayed, prioritized, unique, bodies
-- ARGV: member.
-- Result: 1, or 0 when it is gone.
-- @types-first
-- @include member
local removed = redis.call('LREM', PENDING, -1, ARGV[1]) > 0
  or redis.call('ZREM', PRIORITIZED, ARGV[1]) > 0
  or redis.call('ZREM', DELAYED, ARGV[1]) > 0
if not removed then return 0 end
local job = read(ARGV[1])
if job then free(job) end
return 1
