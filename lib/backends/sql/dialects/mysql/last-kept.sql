-- The newest failed job of a queue that a number no longer covers.
select seq from kinetis_queue_failed_jobs where queue = :queue order by seq desc limit 1 offset :offset;
