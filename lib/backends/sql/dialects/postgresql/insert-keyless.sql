-- Stores jobs without a unique key in the order of the lists, as `insert` does: none can be left out, so that nothing need
-- be looked up before, nor told behind.
-- state: 0 or 1. body: the bodies, a record separator (U+001E) before each.
with
  stored as (
    insert into kinetis_queue_jobs (
      id, queue, state, due_at, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, stored_at, body
    )
    select
      id, queue, state, clock.now + delay_ms, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority,
      clock.now, body
    from unnest(
      :id::text[], :queue::text[], :state::smallint[], :delayMs::bigint[], :rank::integer[], :v::bigint[],
      :serial::bigint[], :attempts::bigint[], :deferrals::bigint[], :graceRounds::bigint[],
      :leaseSeconds::double precision[], :priority::integer[], (string_to_array(:body, e'\x1e'))[2:]
    ) with ordinality as given (
      id, queue, state, delay_ms, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, body, place
    ), (select kinetis_now() as now offset 0) as clock
    order by place
  ),
  told as materialized (select pg_notify(:channel, queue) from unnest(:tell::text[]) as tell (queue))
select count(*) as told from told;
