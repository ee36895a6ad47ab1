-- Rows, with the reservations that hold them, which stay as they are until the transaction ends.
select seq, token from kinetis_queue_jobs where seq in (:seqs) for update;
