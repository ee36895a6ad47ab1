-- Takes a failed job out of the store.
delete from kinetis_queue_failed_jobs where seq = :seq;
