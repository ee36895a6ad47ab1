-- Reads nothing: fails where the user may not read jobs with their arguments.
select id, body from kinetis_queue_jobs where 1 = 0;
