-- Failed jobs of a queue, newest first.
-- KEYS: failed, failed-index, bodies
-- ARGV: the latest time as a bound of ZREVRANGEBYSCORE, how many at most.
-- Result: four for each: id, time in µs, record, and the body where that is not in the record.
-- @include member, failed
local page = {}
for _, id in ipairs(redis.call('ZREVRANGEBYSCORE', FAILED_INDEX, ARGV[1], '-inf', 'LIMIT', 0, ARGV[2])) do
  local record = redis.call('HGET', FAILED, id)
  if record then
    local job = read(read_failed(record))
    local body = job and job[13] ~= '' and redis.call('HGET', BODIES, job[13]) or ''
    for _, value in ipairs({ id, string.match(record, '^%d+'), record, body }) do page[#page + 1] = value end
  end
end
return page
