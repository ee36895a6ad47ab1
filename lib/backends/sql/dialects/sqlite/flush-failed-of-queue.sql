-- Deletes a queue's failed jobs, in a bounded step. Parameters: queue, limit.
delete from kinetis_queue_failed_jobs
where seq in (select seq from kinetis_queue_failed_jobs where queue = ? order by seq limit ?);
