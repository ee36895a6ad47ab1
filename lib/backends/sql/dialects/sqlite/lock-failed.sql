-- Makes sure that a failed job is still there; the transaction has the only write lock.
select seq from kinetis_queue_failed_jobs where seq = :seq;
