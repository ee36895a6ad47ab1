-- Reads nothing: fails where the user may not see which queues are paused.
select queue from kinetis_queue_paused_queues where 1 = 0;
