-- Leases the first ready jobs of the queues that are not paused: queues in the order of the list, each in its own order.
-- What another reserve has in hand is passed over.
-- `rank` is kept until the job returns, so that the batch can be put in order; from now on it has no other effect.
-- leaseSeconds: of a job that names none. Result: the rows, in no order.
with picked as materialized (
  select jobs.seq
  from unnest(:queues::text[]) as wanted (queue)
  cross join lateral (
    select seq from kinetis_queue_jobs as waiting
    where
      queue = wanted.queue and state = 0
      and not exists (select 1 from kinetis_queue_paused_queues paused where paused.queue = wanted.queue)
    order by rank desc, seq
    limit :limit
    for update of waiting skip locked
  ) as jobs
  limit :limit
)
update kinetis_queue_jobs
set
  state = 2,
  token = :token,
  serial = case when serial between 0 and 9007199254740990 then serial + 1 else serial end,
  due_at = kinetis_now() + round(
    1000 * case when lease_seconds > 0 and lease_seconds < 1e12 then lease_seconds else :leaseSeconds end
  )::bigint
where seq = any (array(select seq from picked))
returning
  seq, queue, id, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body;
