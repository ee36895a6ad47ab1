-- One job in its state by time.
select
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, rank, unique_key, body, seq, due_at,
  iif(due_at <= kinetis_now(), 0, state) as state
from kinetis_queue_jobs
where id = :id and queue = :queue;
