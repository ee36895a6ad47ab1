-- Moves jobs that are given up on to the failed store, where their reservations still hold their rows. An id that is
-- there already gets a new one: only what a foreign writer left can share its id with another.
-- Result: seq and token of those that were moved.
with
  given as (
    select * from unnest(
      :seq::bigint[], :token::text[], :cause::text[], :error::text[], :message::text[], :stack::text[]
    ) as given (seq, token, cause, error, message, stack)
  ),
  gone as (
    delete from kinetis_queue_jobs as jobs
    using given
    where jobs.seq = given.seq and jobs.token = given.token
    returning jobs.*, given.cause, given.error, given.message, given.stack
  ),
  kept as (
    insert into kinetis_queue_failed_jobs (
      id, queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body, cause, error,
      message, stack, failed_at
    )
    select
      case
        when
          id = ''
          or exists (select 1 from kinetis_queue_failed_jobs failed where failed.id = gone.id)
          or exists (select 1 from gone as twin where twin.id = gone.id and twin.seq < gone.seq)
        then replace(gen_random_uuid()::text, '-', '')
        else id
      end,
      queue, v, serial, attempts, deferrals, grace_rounds, lease_seconds, priority, unique_key, body, cause, error,
      message, stack, kinetis_now()
    from gone
    order by seq
  )
select seq, token from gone;
