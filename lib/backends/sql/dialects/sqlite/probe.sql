-- Whether a queue has something to reserve or to bring back, without taking the write lock.
-- Result: ready, due, paused (0 or 1).
select
  exists (select 1 from kinetis_queue_jobs where queue = :queue and state = 0) as ready,
  exists (
    select 1 from kinetis_queue_jobs
    where queue = :queue and state > 0 and due_at <= kinetis_now()
  ) as due,
  exists (select 1 from kinetis_queue_paused_queues where queue = :queue) as paused;
