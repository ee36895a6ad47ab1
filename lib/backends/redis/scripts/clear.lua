-- Removes ready and delayed jobs with their bodies and frees their unique keys, in one bounded step.
-- KEYS: pending, delayed, prioritized, unique, bodies
-- ARGV: how many at most.
-- Result: how many were removed; fewer than asked for when none are left.
-- @types-first
-- @include member
local left = tonumber(ARGV[1])
local removed = 0

local function remove(member)
  local job = read(member)
  if job then free(job) end
  removed = removed + 1
end

for _, member in ipairs(redis.call('LRANGE', PENDING, -left, -1)) do remove(member) end
if removed > 0 then redis.call('LTRIM', PENDING, 0, -removed - 1) end
for _, key in ipairs({ PRIORITIZED, DELAYED }) do
  if removed >= left then break end
  local members = redis.call('ZRANGE', key, 0, left - removed - 1)
  for _, member in ipairs(members) do remove(member) end
  if #members > 0 then redis.call('ZREMRANGEBYRANK', key, 0, #members - 1) end
end
return removed
