-- Gives deliveries back that are known to be held, at their old places in the order.
-- Without a new rank a job falls back to its priority: a rank counts for one round.
-- given: a JSON list of { seq, state (0 or 1), delayMs, attempts, deferrals, graceRounds, rank }, null for no change.
update kinetis_queue_jobs jobs
join json_table(
  :given, '$[*]' columns (
    seq bigint path '$.seq',
    state tinyint path '$.state',
    delay_ms bigint path '$.delayMs',
    attempts bigint path '$.attempts',
    deferrals bigint path '$.deferrals',
    grace_rounds bigint path '$.graceRounds',
    `rank` integer path '$.rank'
  )
) as given on jobs.seq = given.seq
set
  jobs.state = given.state,
  jobs.due_at = kinetis_now() + given.delay_ms,
  jobs.attempts = coalesce(given.attempts, jobs.attempts),
  jobs.deferrals = coalesce(given.deferrals, jobs.deferrals),
  jobs.grace_rounds = coalesce(given.grace_rounds, jobs.grace_rounds),
  jobs.`rank` = coalesce(given.`rank`, jobs.priority),
  jobs.serial = case when jobs.serial between 0 and 9007199254740990 then jobs.serial + 1 else jobs.serial end,
  jobs.token = null;
