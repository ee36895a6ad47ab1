-- A page of a queue's jobs that are delayed or reserved by time, in order of arrival.
-- Parameters: queue, state (1 or 2), seq to come after, limit.
select
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, rank, unique_key, body, seq, due_at, state
from kinetis_queue_jobs
where seq in (
  select seq from kinetis_queue_jobs
  where
    queue = ? and state > 0 and state = ?
    and due_at > cast(round(unixepoch('subsec') * 1000) as integer) and seq > ?
  order by seq
  limit ?
)
order by seq;
