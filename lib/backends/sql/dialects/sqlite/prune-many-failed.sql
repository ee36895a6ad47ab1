-- Lets go of a queue's oldest failed jobs above a number, in a bounded step.
delete from kinetis_queue_failed_jobs
where seq in (
  select seq from kinetis_queue_failed_jobs where queue = :queue order by seq desc limit :limit offset :maxCount
);
