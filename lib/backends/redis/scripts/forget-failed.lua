-- Deletes one failed job.
-- KEYS: failed, failed-index, bodies
-- ARGV: id.
-- Result: 1, or 0 when there is none.
-- @types-first
-- @include member, failed
return forget_failed(ARGV[1])
