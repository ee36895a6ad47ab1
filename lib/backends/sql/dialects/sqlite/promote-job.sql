-- Makes a delayed job ready now. Parameters: id, queue.
update kinetis_queue_jobs
set
  state = 0,
  due_at = cast(round(unixepoch('subsec') * 1000) as integer),
  serial = iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial)
where id = ? and queue = ? and state = 1 and due_at > cast(round(unixepoch('subsec') * 1000) as integer);
