-- Waits for other processes that migrate, until the transaction ends.
select pg_advisory_xact_lock(hashtext('kinetis_queue_schema'));
