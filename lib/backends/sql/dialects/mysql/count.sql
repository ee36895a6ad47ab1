-- Counts of a queue by time, at one instant: what is due counts as ready, whatever its stored state.
-- Result: one row; oldest_ms is the age of the job that has been ready longest, or null.
select
  ready.jobs + waiting.due as ready_jobs,
  waiting.delayed_jobs as delayed_jobs,
  waiting.reserved_jobs as reserved_jobs,
  (select count(*) from kinetis_queue_failed_jobs where queue = :queue) as failed_jobs,
  kinetis_now() - least(coalesce(ready.since, waiting.since), coalesce(waiting.since, ready.since)) as oldest_ms,
  exists (select 1 from kinetis_queue_paused_queues where queue = :queue) as paused
from
  (select count(*) as jobs, min(due_at) as since from kinetis_queue_jobs where queue = :queue and state = 0) as ready,
  (
    select
      count(case when due_at <= kinetis_now() then 1 end) as due,
      min(case when due_at <= kinetis_now() then due_at end) as since,
      count(case when due_at > kinetis_now() and state = 1 then 1 end) as delayed_jobs,
      count(case when due_at > kinetis_now() and state <> 1 then 1 end) as reserved_jobs
    from kinetis_queue_jobs
    where queue = :queue and state in (1, 2)
  ) as waiting;
