-- Lets go of a queue's oldest failed jobs above a number, in a bounded step. The queue stands as a range and in the order,
-- and the limits as queries, so that the planner walks the index of the queue and not, newest first, all failed jobs.
delete from kinetis_queue_failed_jobs
where seq = any (array(
  select seq from kinetis_queue_failed_jobs
  where queue >= :queue and queue <= :queue
  order by queue desc, seq desc
  limit (select :limit::bigint) offset (select :maxCount::bigint)
  for update skip locked
));
