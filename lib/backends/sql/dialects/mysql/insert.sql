-- Stores jobs; the list of values is repeated for each. state: 0 or 1.
insert into kinetis_queue_jobs (
  id, queue, state, due_at, `rank`, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key,
  stored_at, body
)
values (
  :id, :queue, :state, kinetis_now() + :delayMs, :rank, :v, :serial, :attempts, :deferrals, :graceRounds, :leaseSeconds,
  :priority, :uniqueKey, kinetis_now(), :body
);
