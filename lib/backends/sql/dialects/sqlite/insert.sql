-- Stores one job; changes no row when its unique key is held by another job of the queue.
-- Parameters: id, queue, state (0 or 1), delay in milliseconds, rank, v, serial, attempts, deferrals, grace rounds,
-- lease in seconds or null, priority, unique key or null, body.
insert into kinetis_queue_jobs (
  id, queue, state, due_at, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key,
  stored_at, body
)
values (
  ?, ?, ?, cast(round(unixepoch('subsec') * 1000) as integer) + ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
  cast(round(unixepoch('subsec') * 1000) as integer), ?
)
on conflict (queue, unique_key) where unique_key is not null do nothing;
