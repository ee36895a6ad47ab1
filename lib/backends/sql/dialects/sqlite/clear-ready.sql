-- Discards ready jobs, in a bounded step. Parameters: queue, limit.
delete from kinetis_queue_jobs
where seq in (select seq from kinetis_queue_jobs where queue = ? and state = 0 limit ?);
