-- Gives a delivery back, at its old place in the order, if its reservation still holds the row.
-- Without a new rank the job falls back to its priority: a rank counts for one round.
-- state: 0 or 1; attempts, deferrals, graceRounds, rank: null for no change.
update kinetis_queue_jobs
set
  state = :state,
  due_at = kinetis_now() + :delayMs,
  attempts = coalesce(:attempts, attempts),
  deferrals = coalesce(:deferrals, deferrals),
  grace_rounds = coalesce(:graceRounds, grace_rounds),
  rank = coalesce(:rank, priority),
  serial = iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial),
  token = null
where seq = :seq and token = :token;
