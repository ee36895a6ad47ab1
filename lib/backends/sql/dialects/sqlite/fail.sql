-- Copies a job that is given up on to the failed store, if its reservation still holds the row. An id that is there
-- already gets a new one: only what a foreign writer left can share its id with another.
insert into kinetis_queue_failed_jobs (
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body, cause, error,
  message, stack, failed_at
)
select
  iif(
    id <> '' and not exists (select 1 from kinetis_queue_failed_jobs failed where failed.id = kinetis_queue_jobs.id),
    id, lower(hex(randomblob(16)))
  ),
  queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body, :cause, :error,
  :message, :stack, kinetis_now()
from kinetis_queue_jobs
where seq = :seq and token = :token;
