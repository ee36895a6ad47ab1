-- Kinetis Queue, schema version 1, SQLite 3.42 or later.
-- Every statement may be run again: two processes that migrate at once, or a second run, change nothing.

create table if not exists kinetis_queue_schema (
  version integer primary key,
  applied_at integer not null
);

-- One row for each job that is not settled for good. Times are milliseconds since 1970.
create table if not exists kinetis_queue_jobs (
  seq integer primary key,                -- order of arrival; a job that is released keeps it
  id text not null,
  queue text not null,
  state integer not null,                 -- 0 ready, 1 delayed, 2 reserved
  due_at integer not null,                -- ready: since when; delayed: from when; reserved: end of the lease
  rank integer not null,                  -- what a queue is ordered by, highest first
  token text,                             -- names the reservation that holds the row
  v integer not null,
  serial integer not null,
  attempts integer not null,
  deferrals integer not null,
  grace_rounds integer not null,
  lease_seconds real,
  priority integer not null,
  unique_key text,
  stored_at integer not null,
  body text not null
);

-- What a reserve walks, in its order; due_at makes the counts of a queue readable from the index alone.
create index if not exists kinetis_queue_jobs_ready
  on kinetis_queue_jobs (queue, rank desc, seq, due_at) where state = 0;

-- What waits for a time: the end of a delay or of a lease.
create index if not exists kinetis_queue_jobs_due
  on kinetis_queue_jobs (queue, due_at, state) where state > 0;

create unique index if not exists kinetis_queue_jobs_unique
  on kinetis_queue_jobs (queue, unique_key) where unique_key is not null;

create index if not exists kinetis_queue_jobs_id
  on kinetis_queue_jobs (id);

create table if not exists kinetis_queue_failed_jobs (
  seq integer primary key,
  id text not null,
  queue text not null,
  v integer,
  serial integer,
  attempts integer,
  deferrals integer,
  grace_rounds integer,
  lease_seconds real,
  priority integer,
  unique_key text,
  body text not null,
  cause text not null,
  error text not null,
  message text not null,
  stack text,
  failed_at integer not null
);

create index if not exists kinetis_queue_failed_jobs_queue
  on kinetis_queue_failed_jobs (queue, seq);

create index if not exists kinetis_queue_failed_jobs_id
  on kinetis_queue_failed_jobs (id);

create index if not exists kinetis_queue_failed_jobs_age
  on kinetis_queue_failed_jobs (failed_at);

create table if not exists kinetis_queue_paused_queues (
  queue text primary key,
  paused_at integer not null
);

insert into kinetis_queue_schema (version, applied_at)
values (1, cast(round(unixepoch('subsec') * 1000) as integer))
on conflict (version) do nothing;
