-- Takes out rows that are known to be held.
delete from kinetis_queue_jobs where seq in (:seqs);
