-- Parameters: id.
delete from kinetis_queue_failed_jobs where id = ?;
