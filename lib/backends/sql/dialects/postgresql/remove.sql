-- Ends deliveries for good, where their reservations still hold their rows. Result: seq and token of those that ended.
delete from kinetis_queue_jobs as jobs
using unnest(:seq::bigint[], :token::text[]) as given (seq, token)
where jobs.seq = given.seq and jobs.token = given.token
returning jobs.seq, given.token;
