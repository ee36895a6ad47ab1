-- Stores the new job whose 7 arguments begin at ARGV[i]: delay in ms, rank, unique key (or empty), id, fields 1 to 10 as
-- they stand in a member, ref (or empty), body. False when its unique key is held.
local function store_job(i)
  local delay, rank, unique, id = tonumber(ARGV[i]), tonumber(ARGV[i + 1]), ARGV[i + 2], ARGV[i + 3]
  local head, ref, body = ARGV[i + 4], ARGV[i + 5], ARGV[i + 6]
  if unique ~= '' and redis.call('HSETNX', UNIQUE, unique, id) == 0 then return false end
  if ref ~= '' then
    redis.call('HSET', BODIES, ref, body)
    body = ''
  end
  local since = ms(now + delay)
  local start = 'q1|' .. head .. '|' .. since .. '|'
  local rest = '|' .. ref .. '|' .. body
  if delay > 0 then
    redis.call('ZADD', DELAYED, since, start .. rest)
  elseif rank == 0 then
    redis.call('LPUSH', PENDING, start .. rest)
  else
    local place = redis.call('INCR', PLACE)
    redis.call('ZADD', PRIORITIZED, place_score(rank, place), start .. place .. rest)
  end
  return true
end
