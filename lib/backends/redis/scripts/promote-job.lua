-- Makes a delayed job ready.
-- KEYS: pending, delayed, prioritized, place
-- ARGV: member.
-- Result: 1, or 0 when it is no longer delayed.
-- @types-first
-- @include now, member, ready
if not redis.call('ZSCORE', DELAYED, ARGV[1]) then return 0 end
make_ready(read(ARGV[1]), now, false)
redis.call('ZREM', DELAYED, ARGV[1])
return 1
