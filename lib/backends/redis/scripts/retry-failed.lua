-- Puts failed jobs back on their queue, as if they had just been pushed; their serials go on.
-- KEYS: pending, prioritized, unique, failed, failed-index, place
-- ARGV: ids.
-- Result: for each 1, 0 when it is not there, 2 when another job holds its unique key.
-- @types-first
-- @include now, member, ready, failed
local function retry(id)
  local record = redis.call('HGET', FAILED, id)
  if not record then return 0 end
  local member = read_failed(record)
  local job = read(member)
  if job then
    if job[9] ~= '' and redis.call('HSETNX', UNIQUE, job[9], job[10]) == 0 then return 2 end
    raise(job, 2)
    job[3], job[4], job[5], job[8] = '0', '0', '0', job[7]
    make_ready(job, now, false)
  else
    redis.call('LPUSH', PENDING, member)
  end
  redis.call('ZREM', FAILED_INDEX, id)
  redis.call('HDEL', FAILED, id)
  return 1
end

local outcomes = {}
for i, id in ipairs(ARGV) do outcomes[i] = retry(id) end
return outcomes
