-- Holds a queue for all workers. Parameters: queue.
insert into kinetis_queue_paused_queues (queue, paused_at)
values (?, cast(round(unixepoch('subsec') * 1000) as integer))
on conflict (queue) do nothing;
