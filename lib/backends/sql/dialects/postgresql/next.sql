-- Ends deliveries for good, where their reservations still hold their rows, and leases the first ready jobs of a queue
-- that is not paused, as the statements for either do. The two meet no common row.
-- A value that is a query is one that the planner cannot weigh: it would sort all ready rows where it takes them to be few,
-- and plan anew each time where a single delivery ends.
-- leaseSeconds: of a job that names none. Result: the rows, in no order, and one whose `removed` lists the places of the
-- deliveries that ended, from 1.
with
  gone as (
    delete from kinetis_queue_jobs as jobs
    using unnest((select :seq::bigint[]), (select :tokens::text[])) with ordinality as given (seq, token, place)
    where jobs.seq = given.seq and jobs.token = given.token
    returning given.place
  ),
  picked as materialized (
    select seq from kinetis_queue_jobs as waiting
    where
      queue = (select :queue) and state = 0
      and not exists (select 1 from kinetis_queue_paused_queues paused where paused.queue = (select :queue))
    order by rank desc, seq
    limit (select :limit::bigint)
    for update of waiting skip locked
  ),
  taken as (
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
      seq, queue, id, rank, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body
  )
select taken.*, null as removed from taken
union all
select
  null, null, null, null, null, null, null, null, null, null, null, null, null, coalesce(string_agg(place::text, ','), '')
from gone;
