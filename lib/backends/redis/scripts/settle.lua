-- Settles or extends deliveries of one queue. A settlement by a delivery that is not current writes nothing.
-- KEYS: pending, delayed, leased, prioritized, unique, failed, failed-index, bodies, place
-- ARGV: how long failed jobs are kept in ms (empty: none are kept), how many are kept, then for each settlement its
-- operation and leased member, and
--   ack:    number of follow-ups, 7 for each (see parts/store-job.lua)
--   return: delay in ms, then attempts, deferrals, graceRounds and rank, empty for what stays
--   fail:   the failure as text, the id to keep it by if the job's own is of no use
--   extend: ms from now
-- Result: for each settlement 1, or 0 when it is stale.
-- @types-first
-- @include now, member, ready, store-job, failed
local max_age, max_count = tonumber(ARGV[1]), tonumber(ARGV[2])
local settle = {}
local has_failed = false

function settle.ack(leased, i, current)
  local count = tonumber(ARGV[i])
  if current then
    for n = 0, count - 1 do store_job(i + 1 + 7 * n) end
    redis.call('ZREM', LEASED, leased)
    local job = read(without_token(leased))
    if job then free(job) end
  end
  return i + 1 + 7 * count
end

settle['return'] = function(leased, i, current)
  if not current then return i + 5 end
  local delay, member = tonumber(ARGV[i]), without_token(leased)
  local job = read(member)
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
  redis.call('ZREM', LEASED, leased)
  return i + 5
end

function settle.fail(leased, i, current)
  if current then
    local member = without_token(leased)
    local job = read(member)
    if max_age then
      keep_failed(job, member, ARGV[i], ARGV[i + 1])
      has_failed = true
    end
    redis.call('ZREM', LEASED, leased)
    if job then free(job, max_age ~= nil) end
  end
  return i + 2
end

function settle.extend(leased, i, current)
  if current then redis.call('ZADD', LEASED, 'XX', ms(now + tonumber(ARGV[i])), leased) end
  return i + 1
end

local applied = {}
local i = 3
while i <= #ARGV do
  local current = redis.call('ZSCORE', LEASED, ARGV[i + 1])
  applied[#applied + 1] = current and 1 or 0
  i = settle[ARGV[i]](ARGV[i + 1], i + 2, current)
end
if has_failed then prune_failed(max_age, max_count) end
return applied
