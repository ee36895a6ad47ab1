-- Deletes nothing: fails where the user may not settle.
delete from kinetis_queue_jobs where 1 = 0;
