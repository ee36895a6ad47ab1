-- Discards a job that no worker holds.
delete from kinetis_queue_jobs where id = :id and queue = :queue and state <> 2;
