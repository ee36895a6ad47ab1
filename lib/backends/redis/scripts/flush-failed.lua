-- Deletes failed jobs, the oldest first, in one bounded step.
-- KEYS: failed, failed-index, bodies
-- ARGV: how many at most.
-- Result: how many ids were let go; fewer than asked for when none are left.
-- @types-first
-- @include member, failed
local ids = redis.call('ZRANGE', FAILED_INDEX, 0, ARGV[1] - 1)
for _, id in ipairs(ids) do forget_failed(id) end
return #ids
