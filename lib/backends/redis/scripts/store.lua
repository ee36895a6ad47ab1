-- Stores jobs of one queue, all in one step.
-- KEYS: pending, delayed, prioritized, unique, bodies, place
-- ARGV: channel of the hint (empty: none), queue, then 7 for each job (see parts/store-job.lua).
-- Result: for each job 1, or 0 when its unique key is held.
-- @types-first
-- @include now, ready, store-job, member
local stored = {}
for i = 3, #ARGV, 7 do
  stored[#stored + 1] = store_job(i) and 1 or 0
end
-- A hint may be lost, so one that is forbidden is no error.
if ARGV[1] ~= '' then redis.pcall('PUBLISH', ARGV[1], ARGV[2]) end
return stored
