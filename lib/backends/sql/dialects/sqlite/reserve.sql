-- Leases the first ready jobs of a queue that is not paused, in one atomic step.
-- `rank` is kept until the job returns, so that the batch can be put in order; from now on it has no other effect.
-- Parameters: token, lease in seconds of a job that names none, queue, queue, limit. Result: the rows, in no order.
update kinetis_queue_jobs
set
  state = 2,
  token = ?,
  serial = iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial),
  due_at = cast(round(unixepoch('subsec') * 1000) as integer) + cast(
    round(1000 * iif(typeof(lease_seconds) in ('integer', 'real') and lease_seconds > 0, lease_seconds, ?)) as integer
  )
where seq in (
  select seq from kinetis_queue_jobs
  where queue = ? and state = 0 and not exists (select 1 from kinetis_queue_paused_queues where queue = ?)
  order by rank desc, seq
  limit ?
)
returning
  seq, id, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body;
