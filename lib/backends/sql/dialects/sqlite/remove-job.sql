-- Discards a job that no worker holds. Parameters: id, queue.
delete from kinetis_queue_jobs where id = ? and queue = ? and state <> 2;
