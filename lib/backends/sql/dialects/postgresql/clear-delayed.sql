-- Discards delayed jobs, due or not, in a bounded step; reservations stay, expired ones too. In order, so that it walks
-- their index and not the table; `state = 1` would be taken to be rare where there are no statistics.
delete from kinetis_queue_jobs
where seq = any (array(
  select seq from kinetis_queue_jobs
  where queue = :queue and state > 0 and state <> 2
  order by due_at
  limit (select :limit::bigint)
  for update skip locked
));
