-- Gives deliveries back, at their old places in the order, where their reservations still hold their rows.
-- Without a new rank a job falls back to its priority: a rank counts for one round.
-- state: 0 or 1; attempts, deferrals, graceRounds, rank: null for no change. Result: seq and token of those that went back.
update kinetis_queue_jobs as jobs
set
  state = given.state,
  due_at = kinetis_now() + given.delay_ms,
  attempts = coalesce(given.attempts, jobs.attempts),
  deferrals = coalesce(given.deferrals, jobs.deferrals),
  grace_rounds = coalesce(given.grace_rounds, jobs.grace_rounds),
  rank = coalesce(given.rank, jobs.priority),
  serial = case when jobs.serial between 0 and 9007199254740990 then jobs.serial + 1 else jobs.serial end,
  token = null
from unnest(
  :seq::bigint[], :token::text[], :state::smallint[], :delayMs::bigint[], :attempts::bigint[], :deferrals::bigint[],
  :graceRounds::bigint[], :rank::integer[]
) as given (seq, token, state, delay_ms, attempts, deferrals, grace_rounds, rank)
where jobs.seq = given.seq and jobs.token = given.token
returning jobs.seq, given.token;
