-- Deletes failed jobs, in a bounded step.
delete from kinetis_queue_failed_jobs order by seq limit :limit;
