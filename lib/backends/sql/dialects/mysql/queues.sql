-- Names of queues that hold jobs, by one index probe a name.
with recursive names (queue) as (
  select min(queue) from kinetis_queue_jobs
  union all
  select (select min(jobs.queue) from kinetis_queue_jobs jobs where jobs.queue > names.queue)
  from names where names.queue is not null
)
select queue from names where queue is not null order by queue;
