-- Brings back what is due, oldest first: a delay that ended, or a lease that nobody settled, which is a spent attempt.
-- What stands in a counter but is no count is left for the decoder to refuse.
update kinetis_queue_jobs
set
  attempts = iif(state = 2 and typeof(attempts) = 'integer' and attempts >= 0, attempts + 1, attempts),
  serial = iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial),
  rank = iif(state = 2, priority, rank),
  token = null,
  state = 0
where seq in (
  select seq from kinetis_queue_jobs
  where queue = :queue and state > 0 and due_at <= kinetis_now()
  order by due_at
  limit :limit
);
