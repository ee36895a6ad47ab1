-- The first ready jobs of a queue that is not paused; what another reserve has in hand is passed over.
select
  seq, queue, id, `rank`, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body
from kinetis_queue_jobs
where
  queue = :queue and state = 0
  and not exists (select 1 from kinetis_queue_paused_queues paused where paused.queue = :queue)
order by `rank` desc, seq
limit :limit
for update skip locked;
