-- Discards ready jobs, in a bounded step; in order, so that it walks their index and not the table.
delete from kinetis_queue_jobs
where seq = any (array(
  select seq from kinetis_queue_jobs
  where queue = :queue and state = 0
  order by rank desc, seq
  limit (select :limit::bigint)
  for update skip locked
));
