-- Kinetis Queue, schema version 1, MariaDB 10.6 and MySQL 8.0 or later.
-- Every statement may be run again, and each is one step by itself: a second run, or two at once, change nothing.
-- Names and tokens are ASCII and compared byte by byte; text is utf8mb4, whatever the database's own character set is.

create table if not exists kinetis_queue_schema (
  version integer not null primary key,
  applied_at bigint not null
) engine = InnoDB;

-- One row for each job that is not settled for good. Times are milliseconds since 1970.
create table if not exists kinetis_queue_jobs (
  seq bigint not null auto_increment primary key, -- order of arrival; a job that is released keeps it
  id varchar(64) character set ascii collate ascii_bin not null,
  queue varchar(80) character set ascii collate ascii_bin not null,
  state tinyint not null,                 -- 0 ready, 1 delayed, 2 reserved
  due_at bigint not null,                 -- ready: since when; delayed: from when; reserved: end of the lease
  `rank` integer not null,                -- what a queue is ordered by, highest first
  token varchar(64) character set ascii collate ascii_bin, -- names the reservation that holds the row
  v bigint not null,
  serial bigint not null,
  attempts bigint not null,
  deferrals bigint not null,
  grace_rounds bigint not null,
  lease_seconds double,
  priority integer not null,
  unique_key varchar(255) character set ascii collate ascii_bin,
  stored_at bigint not null,
  body longtext character set utf8mb4 collate utf8mb4_bin not null,
  -- What a reserve walks, in its order.
  key kinetis_queue_jobs_ready (queue, state, `rank` desc, seq),
  -- What waits for a time: the end of a delay or of a lease.
  key kinetis_queue_jobs_due (queue, state, due_at),
  unique key kinetis_queue_jobs_unique (queue, unique_key),
  key kinetis_queue_jobs_id (id)
) engine = InnoDB;

create table if not exists kinetis_queue_failed_jobs (
  seq bigint not null auto_increment primary key,
  id varchar(64) character set ascii collate ascii_bin not null,
  queue varchar(80) character set ascii collate ascii_bin not null,
  v bigint,
  serial bigint,
  attempts bigint,
  deferrals bigint,
  grace_rounds bigint,
  lease_seconds double,
  priority integer,
  unique_key varchar(255) character set ascii collate ascii_bin,
  body longtext character set utf8mb4 collate utf8mb4_bin not null,
  cause varchar(64) character set ascii collate ascii_bin not null,
  error longtext character set utf8mb4 collate utf8mb4_bin not null,
  message longtext character set utf8mb4 collate utf8mb4_bin not null,
  stack longtext character set utf8mb4 collate utf8mb4_bin,
  failed_at bigint not null,
  key kinetis_queue_failed_jobs_queue (queue, seq),
  key kinetis_queue_failed_jobs_id (id),
  key kinetis_queue_failed_jobs_age (failed_at)
) engine = InnoDB;

create table if not exists kinetis_queue_paused_queues (
  queue varchar(80) character set ascii collate ascii_bin not null primary key,
  paused_at bigint not null
) engine = InnoDB;

insert into kinetis_queue_schema (version, applied_at)
values (1, timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000)
on duplicate key update version = version;
