-- A page of a queue's jobs that are ready by time, in order of arrival.
-- Parameters: queue, seq to come after, queue, seq to come after, limit.
select
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, rank, unique_key, body, seq, due_at, 0 as state
from kinetis_queue_jobs
where seq in (
  select seq from (
    select seq from kinetis_queue_jobs where queue = ? and state = 0 and seq > ?
    union all
    select seq from kinetis_queue_jobs
    where queue = ? and state > 0 and due_at <= cast(round(unixepoch('subsec') * 1000) as integer) and seq > ?
  )
  order by seq
  limit ?
)
order by seq;
