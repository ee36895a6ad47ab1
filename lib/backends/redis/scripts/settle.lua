-- Settles or extends deliveries of one queue. A settlement by a delivery that is not current writes nothing.
-- KEYS: pending, delayed, leased, running, prioritized, unique, failed, failed-index, bodies, place
-- ARGV: how long failed jobs are kept in ms (empty: none are kept), how many are kept, then for each settlement its
-- operation and token, and
--   ack:    number of follow-ups, 7 for each (see parts/store-job.lua)
--   return: delay in ms, then attempts, deferrals, graceRounds and rank, empty for what stays
--   fail:   the failure as text, the id to keep it by if the job's own is of no use
--   extend: ms from now
-- Result: for each settlement 1, or 0 when it is stale.
-- @types-first
-- @include now, member, ready, store-job, failed, delivery
local max_age, max_count = tonumber(ARGV[1]), tonumber(ARGV[2])
local settle = {}
local has_failed = false

function settle.ack(token, i, member)
  local count = tonumber(ARGV[i])
  if member then
    for n = 0, count - 1 do store_job(i + 1 + 7 * n) end
    end_delivery(token)
    local job = read(member)
    if job then free(job) end
  end
  return i + 1 + 7 * count
end

settle['return'] = function(token, i, member)
  if not member then return i + 5 end
  local delay, job = tonumber(ARGV[i]), read(member)
  if job then
    for n, field in ipairs({ 3, 4, 5, 8 }) do
      if ARGV[i + n] ~= '' then job[field] = ARGV[i + n] end
    end
    raise(job, 2)
    if delay > 0 then member = write(job) else make_ready(job, now, true) end
  elseif delay == 0 then
    redis.call('RPUSH', PENDING, member)
  end
  if delay > 0 then redis.call('ZADD', DELAYED, ms(now + delay), member) end
  end_delivery(token)
  return i + 5
end

function settle.fail(token, i, member)
  if member then
    local job = read(member)
    if max_age then
      keep_failed(job, member, ARGV[i], ARGV[i + 1])
      has_failed = true
    end
    end_delivery(token)
    if job then free(job, max_age ~= nil) end
  end
  return i + 2
end

function settle.extend(token, i, member)
  if member then redis.call('ZADD', LEASED, ms(now + tonumber(ARGV[i])), token) end
  return i + 1
end

local applied = {}
local i = 3
while i <= #ARGV do
  local member = redis.call('HGET', RUNNING, ARGV[i + 1])
  applied[#applied + 1] = member and 1 or 0
  i = settle[ARGV[i]](ARGV[i + 1], i + 2, member)
end
if has_failed then prune_failed(max_age, max_count) end
return applied
