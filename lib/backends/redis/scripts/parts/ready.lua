-- Higher ranks first, then the order of places: 2^42 places a rank.
local PLACES = 4398046511104

local function rank_of(text)
  local rank = string.match(text, '^-?%d+$') and tonumber(text) or 0
  return math.abs(rank) <= 1000 and rank or 0
end

local function place_score(rank, place)
  return string.format('%.0f', tonumber(place) - rank * PLACES)
end

-- Puts a job among the ready ones, in front of those that were never delivered or behind all.
local function make_ready(job, since, in_front)
  job[11] = ms(since)
  local rank = rank_of(job[8])
  if rank == 0 then
    redis.call(in_front and 'RPUSH' or 'LPUSH', PENDING, write(job))
    return
  end
  if not string.match(job[12], '^%d+$') then job[12] = tostring(redis.call('INCR', PLACE)) end
  redis.call('ZADD', PRIORITIZED, place_score(rank, job[12]), write(job))
end
