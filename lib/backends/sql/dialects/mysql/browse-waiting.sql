-- A page of a queue's jobs that are delayed or reserved by time, in order of arrival.
-- state: 1 or 2.
select
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, `rank`, unique_key, body,
  seq, due_at, state
from kinetis_queue_jobs
where queue = :queue and state = :state and due_at > kinetis_now() and seq > :seq
order by seq
limit :limit;
