-- Names of queues that hold jobs. The server skips from name to name in an index; with a condition on the name before, as
-- a recursion would have it, it would read all that follow each.
select distinct queue from kinetis_queue_jobs order by queue;
