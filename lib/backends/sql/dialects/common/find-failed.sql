-- One failed job.
select
  seq, id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body, cause, error,
  message, stack, failed_at
from kinetis_queue_failed_jobs
where id = :id;
