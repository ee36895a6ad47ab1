-- Lets go of a queue's failed jobs up to one, in a bounded step.
delete from kinetis_queue_failed_jobs where queue = :queue and seq <= :seq order by seq limit :limit;
