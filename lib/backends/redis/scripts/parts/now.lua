-- The server's clock in milliseconds, to the microsecond.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000

local function ms(time)
  return string.format('%.3f', time)
end
