-- Holds a queue for all workers.
insert into kinetis_queue_paused_queues (queue, paused_at)
values (:queue, kinetis_now())
on duplicate key update paused_at = paused_at;
