-- Stores nothing: fails where the user may not give jobs up.
insert into kinetis_queue_failed_jobs (id, queue, body, cause, error, message, failed_at)
select '', '', '', '', '', '', 0 from (select 0 as never) as no_row where never = 1;
