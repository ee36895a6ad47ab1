-- Tells whether a queue holds ready, delayed or reserved jobs.
-- KEYS: pending, delayed, leased, prioritized
-- ARGV: none.
-- Result: 1 or 0.
return redis.call('EXISTS', PENDING, DELAYED, LEASED, PRIORITIZED) > 0 and 1 or 0
