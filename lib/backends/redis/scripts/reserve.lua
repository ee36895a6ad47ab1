-- One sweep of a queue: brings due jobs and expired leases back (at most 100 each), then leases up to a limit. A member
-- is written to its new place before it leaves the old one, each alone.
-- KEYS: pending, delayed, leased, prioritized, bodies, place, paused
-- ARGV: limit, lease in ms of a job that names none, token of this reserve.
-- Result: ms until the next job falls due (-1: none, or not looked for), then two for each job: its leased member, and
-- its body where that is not in the member.
-- @types-first
-- @include now, member, ready
local SWEEP = 100
local limit, token = tonumber(ARGV[1]), ARGV[3]
local answer = { '-1' }
if redis.call('EXISTS', PAUSED) == 1 then return answer end

local function due_of(key)
  return redis.call('ZRANGEBYSCORE', key, '-inf', ms(now), 'WITHSCORES', 'LIMIT', 0, SWEEP)
end

local due = due_of(DELAYED)
for i = 1, #due, 2 do
  local job = read(due[i])
  if job then make_ready(job, tonumber(due[i + 1]), false) else redis.call('LPUSH', PENDING, due[i]) end
  redis.call('ZREM', DELAYED, due[i])
end

-- Backwards, so that the lease that ended first is in front.
local lost = due_of(LEASED)
for i = #lost - 1, 1, -2 do
  local member = without_token(lost[i])
  local job = read(member)
  if job then
    raise(job, 2)
    raise(job, 3)
    make_ready(job, tonumber(lost[i + 1]), true)
  else
    redis.call('RPUSH', PENDING, member)
  end
  redis.call('ZREM', LEASED, lost[i])
end

local function lease(member)
  local length, body = tonumber(ARGV[2]), ''
  local job = read(member)
  if job then
    local own = string.match(job[6], '^[%d.eE+-]+$') and tonumber(job[6])
    if own and own > 0 then length = own * 1000 end
    if job[13] ~= '' then body = redis.call('HGET', BODIES, job[13]) or '' end
    raise(job, 2)
    job[8] = job[7]
    member = write(job)
  end
  local leased = token .. '.' .. #answer .. '|' .. member
  redis.call('ZADD', LEASED, ms(now + length), leased)
  answer[#answer + 1] = leased
  answer[#answer + 1] = body
  limit = limit - 1
end

local function lease_prioritized(from, to)
  if limit < 1 then return end
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', PRIORITIZED, from, to, 'LIMIT', 0, limit)) do
    lease(member)
    redis.call('ZREM', PRIORITIZED, member)
  end
end

lease_prioritized('-inf', '(0')
while limit > 0 do
  local member = redis.call('LINDEX', PENDING, -1)
  if not member then break end
  lease(member)
  redis.call('RPOP', PENDING)
end
lease_prioritized('0', '+inf')

if #answer == 1 then
  local nearest
  for _, key in ipairs({ DELAYED, LEASED }) do
    local score = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
    if score and (not nearest or tonumber(score) < nearest) then nearest = tonumber(score) end
  end
  if nearest then answer[1] = ms(math.max(0, nearest - now)) end
end
return answer
