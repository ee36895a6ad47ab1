-- Acknowledges deliveries whose jobs hold nothing beside their members, and that nothing follows: those of ARGV from
-- `first` on. Appends for each 1, or 0 when it is stale.
local function acknowledge(first, answer)
  if first > #ARGV then return answer end
  for i = first, #ARGV do answer[#answer + 1] = redis.call('HDEL', RUNNING, ARGV[i]) end
  -- Last; see parts/delivery.lua.
  redis.call('ZREM', LEASED, unpack(ARGV, first))
  return answer
end
