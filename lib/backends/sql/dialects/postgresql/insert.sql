-- Stores jobs in the order of the lists; a job whose unique key is held by another of its queue is left out. Workers
-- that listen are told of the queues in `tell` at the commit, where anything was stored.
-- state: 0 or 1. body: the bodies, a record separator (U+001E) before each: an array literal would escape every quote.
-- Result: the ids of the jobs that were stored.
with
  stored as (
    insert into kinetis_queue_jobs (
      id, queue, state, due_at, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key,
      stored_at, body
    )
    select
      id, queue, state, kinetis_now() + delay_ms, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds,
      priority, unique_key, kinetis_now(), body
    from unnest(
      :id::text[], :queue::text[], :state::smallint[], :delayMs::bigint[], :rank::integer[], :v::bigint[],
      :serial::bigint[], :attempts::bigint[], :deferrals::bigint[], :graceRounds::bigint[],
      :leaseSeconds::double precision[], :priority::integer[], :uniqueKey::text[],
      (string_to_array(:body, e'\x1e'))[2:]
    ) with ordinality as given (
      id, queue, state, delay_ms, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority,
      unique_key, body, place
    )
    order by place
    on conflict (queue, unique_key) where unique_key is not null do nothing
    returning id
  ),
  told as materialized (select pg_notify(:channel, queue) from unnest(:tell::text[]) as tell (queue))
select id, (select count(*) from told) as told from stored;
