-- Lets go of a queue's oldest failed jobs above a number, in a bounded step. Parameters: queue, limit, number.
delete from kinetis_queue_failed_jobs
where seq in (
  select seq from kinetis_queue_failed_jobs where queue = ? order by seq desc limit ? offset ?
);
