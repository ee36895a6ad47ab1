-- Brings back what is due, oldest first: a delay that ended, or a lease that nobody settled, which is a spent attempt.
-- What stands in a counter but is no count is left for the decoder to refuse.
-- Parameters: queue, limit.
update kinetis_queue_jobs
set
  attempts = iif(state = 2 and typeof(attempts) = 'integer' and attempts >= 0, attempts + 1, attempts),
  serial = iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial),
  rank = iif(state = 2, priority, rank),
  token = null,
  state = 0
where seq in (
  select seq from kinetis_queue_jobs
  where queue = ? and state > 0 and due_at <= cast(round(unixepoch('subsec') * 1000) as integer)
  order by due_at
  limit ?
);
