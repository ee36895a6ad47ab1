-- Ends a delivery for good, if its reservation still holds the row.
delete from kinetis_queue_jobs where seq = :seq and token = :token;
