-- One job in its state by time.
select
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, `rank`, unique_key, body,
  seq, due_at, case when due_at <= kinetis_now() then 0 else state end as state
from kinetis_queue_jobs
where id = :id and queue = :queue;
