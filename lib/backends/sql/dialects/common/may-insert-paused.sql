-- Stores nothing: fails where the user may not pause queues.
insert into kinetis_queue_paused_queues (queue, paused_at)
select '', 0 from (select 0 as never) as no_row where never = 1;
