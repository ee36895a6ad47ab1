-- Lets a paused queue go on.
delete from kinetis_queue_paused_queues where queue = :queue;
