-- Copies jobs that are given up on, and are known to be held, to the failed store. An id that is there already gets a
-- new one: only what a foreign writer left can share its id with another.
-- given: a JSON list of { seq, freshId, cause, error, message, stack }; texts would take the character set of the database.
insert into kinetis_queue_failed_jobs (
  id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body, cause, error,
  message, stack, failed_at
)
select
  case
    when jobs.id = '' or exists (select 1 from kinetis_queue_failed_jobs failed where failed.id = jobs.id)
    then given.fresh_id
    else jobs.id
  end,
  jobs.queue, jobs.v, jobs.serial, jobs.attempts, jobs.deferrals, jobs.grace_rounds, jobs.lease_seconds, jobs.priority,
  jobs.unique_key, jobs.body, given.cause, given.error, given.message, given.stack, kinetis_now()
from kinetis_queue_jobs jobs
join json_table(
  :given, '$[*]' columns (
    seq bigint path '$.seq',
    fresh_id varchar(64) path '$.freshId',
    cause varchar(64) path '$.cause',
    error longtext character set utf8mb4 path '$.error',
    message longtext character set utf8mb4 path '$.message',
    stack longtext character set utf8mb4 path '$.stack'
  )
) as given on jobs.seq = given.seq
order by jobs.seq;
