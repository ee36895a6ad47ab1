-- Parameters: seq.
delete from kinetis_queue_failed_jobs where seq = ?;
