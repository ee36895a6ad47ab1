-- Stores nothing: fails where the user may not push.
insert into kinetis_queue_jobs (
  id, queue, state, due_at, rank, v, serial, attempts, deferrals, grace_rounds, priority, stored_at, body
)
select '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '' from (select 0 as never) as no_row where never = 1;
