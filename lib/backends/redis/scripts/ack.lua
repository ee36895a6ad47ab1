-- Acknowledges deliveries of one queue whose jobs hold nothing beside their members, and that nothing follows.
-- KEYS: leased, running
-- ARGV: their tokens.
-- Result: for each 1, or 0 when it is stale.
-- @types-first
-- @include acknowledge
return acknowledge(1, {})
