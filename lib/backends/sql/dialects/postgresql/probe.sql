-- What there is to do in each of the queues, read without a lock. Result: queue, ready, due, paused.
select
  wanted.queue,
  exists (select 1 from kinetis_queue_jobs jobs where jobs.queue = wanted.queue and jobs.state = 0) as ready,
  exists (
    select 1 from kinetis_queue_jobs jobs
    where jobs.queue = wanted.queue and jobs.state > 0 and jobs.due_at <= kinetis_now()
  ) as due,
  exists (select 1 from kinetis_queue_paused_queues paused where paused.queue = wanted.queue) as paused
from unnest(:queues::text[]) as wanted (queue);
