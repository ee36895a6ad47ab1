-- Leases the first ready jobs of a queue that is not paused, in one atomic step.
-- `rank` is kept until the job returns, so that the batch can be put in order; from now on it has no other effect.
-- leaseSeconds: of a job that names none. Result: the rows, in no order.
update kinetis_queue_jobs
set
  state = 2,
  token = :token,
  serial = iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial),
  due_at = kinetis_now() + cast(
    round(
      1000 * iif(typeof(lease_seconds) in ('integer', 'real') and lease_seconds > 0, lease_seconds, :leaseSeconds)
    ) as integer
  )
where seq in (
  select seq from kinetis_queue_jobs
  where queue = :queue and state = 0 and not exists (select 1 from kinetis_queue_paused_queues where queue = :queue)
  order by rank desc, seq
  limit :limit
)
returning
  seq, queue, id, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body;
