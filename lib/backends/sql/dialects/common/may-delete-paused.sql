-- Deletes nothing: fails where the user may not resume queues.
delete from kinetis_queue_paused_queues where 1 = 0;
