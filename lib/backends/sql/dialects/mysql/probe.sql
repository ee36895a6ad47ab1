-- What there is to do in a queue, read without a lock. Result: ready, due, paused.
select
  exists (select 1 from kinetis_queue_jobs where queue = :queue and state = 0) as ready,
  exists (select 1 from kinetis_queue_jobs where queue = :queue and state in (1, 2) and due_at <= kinetis_now()) as due,
  exists (select 1 from kinetis_queue_paused_queues where queue = :queue) as paused;
