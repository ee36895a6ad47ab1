-- Deletes a queue's failed jobs, in a bounded step.
delete from kinetis_queue_failed_jobs
where seq = any (array(
  select seq from kinetis_queue_failed_jobs
  where queue = :queue
  order by seq
  limit (select :limit::bigint)
  for update skip locked
));
