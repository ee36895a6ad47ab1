-- Tells whether a queue holds ready, delayed or reserved jobs.
-- KEYS: pending, delayed, leased, running, prioritized
-- ARGV: none.
-- Result: 1 or 0.
return redis.call('EXISTS', PENDING, DELAYED, LEASED, RUNNING, PRIORITIZED) > 0 and 1 or 0
