-- A page of a queue's jobs that are ready by time, in order of arrival.
select
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, `rank`, unique_key, body,
  seq, due_at, 0 as state
from kinetis_queue_jobs
where queue = :queue and (state = 0 or due_at <= kinetis_now()) and seq > :seq
order by seq
limit :limit;
