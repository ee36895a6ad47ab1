-- Lets a paused queue go on. Parameters: queue.
delete from kinetis_queue_paused_queues where queue = ?;
