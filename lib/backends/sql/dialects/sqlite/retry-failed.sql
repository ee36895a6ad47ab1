-- Puts a failed job back on its queue, ready, its counters from the start and its serial going on; changes no row when
-- its unique key is held by another job.
insert into kinetis_queue_jobs (
  id, queue, state, due_at, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key,
  stored_at, body
)
select
  id, queue, 0, kinetis_now(), priority, v,
  iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial), 0, 0, 0, lease_seconds, priority, unique_key,
  kinetis_now(), body
from kinetis_queue_failed_jobs
where seq = :seq
on conflict (queue, unique_key) where unique_key is not null do nothing;
