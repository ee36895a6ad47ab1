-- Counts of a queue by time, at one instant: what is due counts as ready, whatever its stored state.
-- Result: one row; oldest_ms is the age of the job that has been ready longest, or null.
with
  clock as (select kinetis_now() as now),
  ready as (
    select count(*) as jobs, min(due_at) as since from kinetis_queue_jobs where queue = :queue and state = 0
  ),
  waiting as (
    select
      count(*) filter (where due_at <= clock.now) as due,
      min(due_at) filter (where due_at <= clock.now) as since,
      count(*) filter (where due_at > clock.now and state = 1) as delayed_jobs,
      count(*) filter (where due_at > clock.now and state <> 1) as reserved_jobs
    from kinetis_queue_jobs, clock
    where queue = :queue and state > 0
  )
select
  ready.jobs + waiting.due as ready_jobs,
  waiting.delayed_jobs as delayed_jobs,
  waiting.reserved_jobs as reserved_jobs,
  (select count(*) from kinetis_queue_failed_jobs where queue = :queue) as failed_jobs,
  clock.now - least(ready.since, waiting.since) as oldest_ms,
  exists (select 1 from kinetis_queue_paused_queues where queue = :queue) as paused
from clock, ready, waiting;
