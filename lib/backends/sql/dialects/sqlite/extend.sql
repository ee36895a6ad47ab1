-- Lets a lease end that long from now, if it still holds the row.
update kinetis_queue_jobs
set due_at = kinetis_now() + :ms
where seq = :seq and token = :token;
