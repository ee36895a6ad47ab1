-- What there is to do in each of the queues, read without a lock. Result: queue, ready, due, paused.
-- The orders make it read the indexes: for `exists` alone the planner hopes to meet a row early in the whole table.
select
  wanted.queue,
  (
    select true from kinetis_queue_jobs jobs
    where jobs.queue = wanted.queue and jobs.state = 0
    order by rank desc, seq
    limit 1
  ) is not null as ready,
  (
    select true from kinetis_queue_jobs jobs
    where jobs.queue = wanted.queue and jobs.state > 0 and jobs.due_at <= kinetis_now()
    order by due_at
    limit 1
  ) is not null as due,
  exists (select 1 from kinetis_queue_paused_queues paused where paused.queue = wanted.queue) as paused
from unnest(:queues::text[]) as wanted (queue);
