-- Lets go of failed jobs that are older than the retention, in a bounded step.
delete from kinetis_queue_failed_jobs where failed_at < kinetis_now() - :maxAgeMs order by failed_at limit :limit;
