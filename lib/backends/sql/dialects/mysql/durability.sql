-- What decides whether a commit that was answered outlives a crash of the server.
select
  @@innodb_flush_log_at_trx_commit as flush_log,
  @@sync_binlog as sync_binlog,
  @@log_bin as log_bin;
