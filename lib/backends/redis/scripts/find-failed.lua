-- One failed job of a queue.
-- KEYS: failed, bodies
-- ARGV: id.
-- Result: the record, and the body where that is not in the record; empty when there is none.
-- @include member, failed
local record = redis.call('HGET', FAILED, ARGV[1])
if not record then return {} end
local job = read(read_failed(record))
return { record, job and job[13] ~= '' and redis.call('HGET', BODIES, job[13]) or '' }
