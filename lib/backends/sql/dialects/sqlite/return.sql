-- Gives a delivery back, at its old place in the order, if its reservation still holds the row.
-- Without a new rank the job falls back to its priority: a rank counts for one round.
-- Parameters: state (0 or 1), delay in milliseconds, attempts, deferrals, grace rounds, rank (each null for no change),
-- seq, token.
update kinetis_queue_jobs
set
  state = ?,
  due_at = cast(round(unixepoch('subsec') * 1000) as integer) + ?,
  attempts = coalesce(?, attempts),
  deferrals = coalesce(?, deferrals),
  grace_rounds = coalesce(?, grace_rounds),
  rank = coalesce(?, priority),
  serial = iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial),
  token = null
where seq = ? and token = ?;
