-- Lets leases end that long from now, where they still hold their rows. Result: seq and token of those that were extended.
update kinetis_queue_jobs as jobs
set due_at = kinetis_now() + given.ms
from unnest(:seq::bigint[], :token::text[], :ms::bigint[]) as given (seq, token, ms)
where jobs.seq = given.seq and jobs.token = given.token
returning jobs.seq, given.token;
