-- A delivery is a token: in `leased` by the end of its lease, and in `running` with the member of its job. In `leased` it is
-- there first and last, so that what stands in `running` always comes back. A token without a member is no delivery.
local function end_delivery(token)
  redis.call('HDEL', RUNNING, token)
  redis.call('ZREM', LEASED, token)
end
