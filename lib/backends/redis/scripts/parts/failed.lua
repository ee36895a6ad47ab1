-- A failed job is a record, '<failed at, µs>|<bytes of the failure>|<failure><member>', in the hash failed under its id,
-- and its id in failed-index by that time. Its body stays in bodies.
local function read_failed(record)
  local length, start = string.match(record, '^%d+|(%d+)|()')
  return string.sub(record, start + length)
end

local function keep_failed(job, member, failure, spare_id)
  local id = job and job[10] or ''
  if id == '' or redis.call('HEXISTS', FAILED, id) == 1 then id = spare_id end
  -- No two of a queue fail at one time, so that a time names a page's end.
  local at = math.floor(now * 1000)
  local last = redis.call('ZREVRANGE', FAILED_INDEX, 0, 0, 'WITHSCORES')[2]
  if last and tonumber(last) >= at then at = tonumber(last) + 1 end
  local time = string.format('%.0f', at)
  redis.call('HSET', FAILED, id, time .. '|' .. #failure .. '|' .. failure .. member)
  redis.call('ZADD', FAILED_INDEX, time, id)
end

local function forget_failed(id)
  local record = redis.call('HGET', FAILED, id)
  redis.call('ZREM', FAILED_INDEX, id)
  if not record then return 0 end
  local job = read(read_failed(record))
  if job and job[13] ~= '' then redis.call('HDEL', BODIES, job[13]) end
  return redis.call('HDEL', FAILED, id)
end

-- Lets go of what the retention no longer covers, at most 100 at a time.
local function prune_failed(max_age, max_count)
  local oldest = string.format('%.0f', math.max(0, (now - max_age) * 1000))
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', FAILED_INDEX, '-inf', '(' .. oldest, 'LIMIT', 0, 100)) do
    forget_failed(id)
  end
  local excess = math.min(100, redis.call('ZCARD', FAILED_INDEX) - max_count)
  if excess < 1 then return end
  for _, id in ipairs(redis.call('ZRANGE', FAILED_INDEX, 0, excess - 1)) do forget_failed(id) end
end
