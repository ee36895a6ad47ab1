-- Brings back what is due in the queues, oldest first, up to a number in each: a delay that ended, or a lease that nobody
-- settled, which is a spent attempt. What another promoter has in hand is left to it.
-- A limit that is a query is one that the planner cannot weigh: where it takes due rows to be few it would read and sort
-- them all.
-- What stands in a counter but is no count is left for the decoder to refuse.
with due as materialized (
  select jobs.seq
  from unnest(:queues::text[]) as wanted (queue)
  cross join lateral (
    select seq from kinetis_queue_jobs
    where queue = wanted.queue and state > 0 and due_at <= kinetis_now()
    order by due_at
    limit (select :limit::bigint)
    for update skip locked
  ) as jobs
)
update kinetis_queue_jobs
set
  attempts = case when state = 2 and attempts between 0 and 9007199254740990 then attempts + 1 else attempts end,
  serial = case when serial between 0 and 9007199254740990 then serial + 1 else serial end,
  rank = case when state = 2 then priority else rank end,
  token = null,
  state = 0
where seq = any (array(select seq from due));
