-- Deletes nothing: fails where the user may not retry or forget failed jobs.
delete from kinetis_queue_failed_jobs where 1 = 0;
