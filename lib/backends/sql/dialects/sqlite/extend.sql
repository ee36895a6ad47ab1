-- Lets a lease end that long from now, if it still holds the row. Parameters: milliseconds, seq, token.
update kinetis_queue_jobs
set due_at = cast(round(unixepoch('subsec') * 1000) as integer) + ?
where seq = ? and token = ?;
