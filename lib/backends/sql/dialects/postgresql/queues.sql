-- Names of queues that hold jobs, by one index probe a name.
with recursive
  ready (queue) as (
    (select min(queue) from kinetis_queue_jobs where state = 0)
    union all
    select (select min(jobs.queue) from kinetis_queue_jobs jobs where jobs.state = 0 and jobs.queue > ready.queue)
    from ready where ready.queue is not null
  ),
  waiting (queue) as (
    (select min(queue) from kinetis_queue_jobs where state > 0)
    union all
    select (select min(jobs.queue) from kinetis_queue_jobs jobs where jobs.state > 0 and jobs.queue > waiting.queue)
    from waiting where waiting.queue is not null
  )
select queue from ready where queue is not null
union
select queue from waiting where queue is not null
order by 1;
