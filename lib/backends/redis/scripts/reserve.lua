-- One sweep of a queue: brings due jobs and expired leases back (at most 100 each), then leases up to a limit. A member
-- is written to its new place before it leaves the old one, each alone.
-- KEYS: pending, delayed, leased, running, prioritized, bodies, place, paused
-- ARGV: limit, lease in ms of a job that names none, token of this reserve, then tokens of deliveries that end: they are
-- acknowledged last, so that an error says that none is.
-- Result: ms until the next job falls due (-1: none, or not looked for), then three for each job: the token of its
-- delivery, with an 'h' at its end when the job holds a unique key or a body, its member, and that body; then for each
-- acknowledgement 1, or 0 when it is stale.
-- @types-first
-- @include now, member, ready, delivery, acknowledge
local SWEEP = 100
local limit, token = tonumber(ARGV[1]), ARGV[3]
local answer = { '-1' }
if PAUSED_SIZE > 0 then return acknowledge(4, answer) end

-- A member whose token is gone, as when somebody deleted `leased`, would never come back: its lease begins anew.
if RUNNING_SIZE > LEASED_SIZE then
  local lease_end = ms(now + tonumber(ARGV[2]))
  for _, stray in ipairs(redis.call('HKEYS', RUNNING)) do redis.call('ZADD', LEASED, 'NX', lease_end, stray) end
end

local function due_of(key, size)
  if size == 0 then return {} end
  return redis.call('ZRANGEBYSCORE', key, '-inf', ms(now), 'WITHSCORES', 'LIMIT', 0, SWEEP)
end

local due = due_of(DELAYED, DELAYED_SIZE)
for i = 1, #due, 2 do
  local job = read(due[i])
  if job then make_ready(job, tonumber(due[i + 1]), false) else redis.call('LPUSH', PENDING, due[i]) end
  redis.call('ZREM', DELAYED, due[i])
end

local function reclaim(member, lease_end)
  local job = read(member)
  if not job then
    redis.call('RPUSH', PENDING, member)
    return
  end
  raise(job, 2)
  raise(job, 3)
  make_ready(job, lease_end, true)
end

-- Backwards, so that the lease that ended first is in front.
local lost = due_of(LEASED, LEASED_SIZE)
for i = #lost - 1, 1, -2 do
  local member = redis.call('HGET', RUNNING, lost[i])
  if member then reclaim(member, tonumber(lost[i + 1])) end
  end_delivery(lost[i])
end

local ends = {}
local function end_of(own)
  if not ends[own] then
    local seconds = string.find(own, '^[%d.eE+-]+$') and tonumber(own)
    ends[own] = ms(now + (seconds and seconds > 0 and seconds * 1000 or tonumber(ARGV[2])))
  end
  return ends[own]
end

-- The fields of parts/member.lua, of which a lease raises the serial and makes the priority the rank.
local HEAD = '^(q1|[^|]*|)([^|]*)(|[^|]*|[^|]*|[^|]*|([^|]*)|([^|]*)|)[^|]*()|([^|]*)|[^|]*|[^|]*|[^|]*|([^|]*)|'

-- False when the token is taken: a delivery never takes the place of another.
local function lease(member)
  local delivery, own_lease, body = token .. '.' .. #answer, '', ''
  local start, serial, middle, own, priority, rest, unique, ref = string.match(member, HEAD)
  if start then
    own_lease = own
    if ref ~= '' then body = redis.call('HGET', BODIES, ref) or '' end
    if ref ~= '' or unique ~= '' then delivery = delivery .. 'h' end
    member = start .. one_more(serial) .. middle .. priority .. string.sub(member, rest)
  end
  if redis.call('ZADD', LEASED, 'NX', end_of(own_lease), delivery) == 0 then
    limit = 0
    return false
  end
  redis.call('HSET', RUNNING, delivery, member)
  local n = #answer
  answer[n + 1], answer[n + 2], answer[n + 3] = delivery, member, body
  limit = limit - 1
  return true
end

local has_ranks = PRIORITIZED_SIZE + #due + #lost > 0
local function lease_prioritized(from, to)
  if limit < 1 or not has_ranks then return end
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', PRIORITIZED, from, to, 'LIMIT', 0, limit)) do
    if not lease(member) then return end
    redis.call('ZREM', PRIORITIZED, member)
  end
end

lease_prioritized('-inf', '(0')
local pending = limit > 0 and redis.call('LRANGE', PENDING, -limit, -1) or {}
for i = #pending, 1, -1 do
  if not lease(pending[i]) then break end
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
return acknowledge(4, answer)
