-- Makes sure that a failed job is still there, and stays there until the transaction ends.
select seq, queue, unique_key from kinetis_queue_failed_jobs where seq = :seq for update;
