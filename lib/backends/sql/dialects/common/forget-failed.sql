-- Takes a failed job out of the store by its id.
delete from kinetis_queue_failed_jobs where id = :id;
