-- Lets go of failed jobs that are older than the retention, in a bounded step. Parameters: age in milliseconds, limit.
delete from kinetis_queue_failed_jobs
where seq in (
  select seq from kinetis_queue_failed_jobs
  where failed_at < cast(round(unixepoch('subsec') * 1000) as integer) - ?
  order by failed_at
  limit ?
);
