-- Lets leases that are known to be held end that long from now. given: a JSON list of { seq, ms }.
update kinetis_queue_jobs jobs
join json_table(:given, '$[*]' columns (seq bigint path '$.seq', ms bigint path '$.ms')) as given
  on jobs.seq = given.seq
set jobs.due_at = kinetis_now() + given.ms;
