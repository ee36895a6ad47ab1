-- Kinetis Queue, schema version 1, PostgreSQL 13 or later.
-- Every statement may be run again: a second run changes nothing. Run the file in one transaction (psql -1): the lock
-- makes processes that migrate at once take turns.

select pg_advisory_xact_lock(hashtext('kinetis_queue_schema'));

create table if not exists kinetis_queue_schema (
  version integer primary key,
  applied_at bigint not null
);

-- One row for each job that is not settled for good. Times are milliseconds since 1970.
create table if not exists kinetis_queue_jobs (
  seq bigint generated always as identity primary key, -- order of arrival; a job that is released keeps it
  id text collate "C" not null,
  queue text collate "C" not null,
  state smallint not null,                -- 0 ready, 1 delayed, 2 reserved
  due_at bigint not null,                 -- ready: since when; delayed: from when; reserved: end of the lease
  rank integer not null,                  -- what a queue is ordered by, highest first
  token text collate "C",                 -- names the reservation that holds the row
  v bigint not null,
  serial bigint not null,
  attempts bigint not null,
  deferrals bigint not null,
  grace_rounds bigint not null,
  lease_seconds double precision,
  priority integer not null,
  unique_key text collate "C",
  stored_at bigint not null,
  body text not null
) with (
  -- Every job leaves dead rows at the front of the index that is read next: clean up after thousands, not after a fifth
  -- of the backlog.
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000
);

-- What a reserve walks, in its order; due_at makes the counts of a queue readable from the index alone.
create index if not exists kinetis_queue_jobs_ready
  on kinetis_queue_jobs (queue, rank desc, seq) include (due_at) where state = 0;

-- What waits for a time: the end of a delay or of a lease.
create index if not exists kinetis_queue_jobs_due
  on kinetis_queue_jobs (queue, due_at) include (state) where state > 0;

create unique index if not exists kinetis_queue_jobs_unique
  on kinetis_queue_jobs (queue, unique_key) where unique_key is not null;

create index if not exists kinetis_queue_jobs_id
  on kinetis_queue_jobs (id);

create table if not exists kinetis_queue_failed_jobs (
  seq bigint generated always as identity primary key,
  id text collate "C" not null,
  queue text collate "C" not null,
  v bigint,
  serial bigint,
  attempts bigint,
  deferrals bigint,
  grace_rounds bigint,
  lease_seconds double precision,
  priority integer,
  unique_key text collate "C",
  body text not null,
  cause text not null,
  error text not null,
  message text not null,
  stack text,
  failed_at bigint not null
);

create index if not exists kinetis_queue_failed_jobs_queue
  on kinetis_queue_failed_jobs (queue, seq);

create index if not exists kinetis_queue_failed_jobs_id
  on kinetis_queue_failed_jobs (id);

create index if not exists kinetis_queue_failed_jobs_age
  on kinetis_queue_failed_jobs (failed_at);

create table if not exists kinetis_queue_paused_queues (
  queue text collate "C" primary key,
  paused_at bigint not null
);

insert into kinetis_queue_schema (version, applied_at)
values (1, (extract(epoch from statement_timestamp()) * 1000)::bigint)
on conflict (version) do nothing;
