-- Puts a failed job back on its queue, ready, its counters from the start and its serial going on. Refused (1062) when
-- its unique key is held by another job.
insert into kinetis_queue_jobs (
  id, queue, state, due_at, `rank`, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key,
  stored_at, body
)
select
  id, queue, 0, kinetis_now(), priority, v,
  case when serial between 0 and 9007199254740990 then serial + 1 else serial end, 0, 0, 0, lease_seconds, priority,
  unique_key, kinetis_now(), body
from kinetis_queue_failed_jobs
where seq = :seq;
