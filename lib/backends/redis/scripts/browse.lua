-- One page of a queue's jobs in one state, by time: of ready ones in the order in which they come, those that are due or
-- expired but not brought back yet last.
-- KEYS: pending, delayed, leased, running, prioritized, bodies
-- ARGV: state (ready, delayed, reserved), how many to pass over, how many at most.
-- Result: three for each: member, when it is due in ms (empty for a ready job), and the body where that is not in it. A
-- token without a member has nil for it: it takes its place in the page, and is no job.
-- @include now, member
local skip, limit = tonumber(ARGV[2]), tonumber(ARGV[3])
local page = {}

local function add(member, due)
  local job = member and read(member)
  page[#page + 1] = member
  page[#page + 1] = due
  page[#page + 1] = job and job[13] ~= '' and redis.call('HGET', BODIES, job[13]) or ''
  limit = limit - 1
end

-- Whether a section of this size has anything of the page; if not it is passed over.
local function begins_in(size)
  if skip >= size then
    skip = skip - size
    return false
  end
  return limit > 0
end

local function by_score(key, from, to, shows_due)
  if not begins_in(redis.call('ZCOUNT', key, from, to)) then return end
  local found = redis.call('ZRANGEBYSCORE', key, from, to, 'WITHSCORES', 'LIMIT', skip, limit)
  for i = 1, #found, 2 do
    local member = found[i]
    if key == LEASED then member = redis.call('HGET', RUNNING, member) end
    add(member, shows_due and found[i + 1] or '')
  end
  skip = 0
end

if ARGV[1] == 'ready' then
  by_score(PRIORITIZED, '-inf', '(0')
  if begins_in(redis.call('LLEN', PENDING)) then
    local members = redis.call('LRANGE', PENDING, -skip - limit, -skip - 1)
    for i = #members, 1, -1 do add(members[i], '') end
    skip = 0
  end
  by_score(PRIORITIZED, '0', '+inf')
  by_score(DELAYED, '-inf', ms(now))
  by_score(LEASED, '-inf', ms(now))
else
  by_score(ARGV[1] == 'delayed' and DELAYED or LEASED, '(' .. ms(now), '+inf', true)
end
return page
