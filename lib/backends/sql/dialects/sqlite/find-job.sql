-- One job in its state by time. Parameters: id, queue.
select
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, rank, unique_key, body, seq, due_at,
  iif(due_at <= cast(round(unixepoch('subsec') * 1000) as integer), 0, state) as state
from kinetis_queue_jobs
where id = ? and queue = ?;
