-- Ends a delivery for good, if its reservation still holds the row. Parameters: seq, token.
delete from kinetis_queue_jobs where seq = ? and token = ?;
