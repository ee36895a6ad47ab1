-- Discards ready jobs, in a bounded step.
delete from kinetis_queue_jobs where queue = :queue and state = 0 limit :limit;
