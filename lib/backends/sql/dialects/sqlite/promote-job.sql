-- Makes a delayed job ready now.
update kinetis_queue_jobs
set
  state = 0,
  due_at = kinetis_now(),
  serial = iif(typeof(serial) = 'integer' and serial >= 0, serial + 1, serial)
where id = :id and queue = :queue and state = 1 and due_at > kinetis_now();
