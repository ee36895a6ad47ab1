-- Makes a delayed job ready now.
update kinetis_queue_jobs
set
  state = 0,
  due_at = kinetis_now(),
  serial = case when serial between 0 and 9007199254740990 then serial + 1 else serial end
where id = :id and queue = :queue and state = 1 and due_at > kinetis_now();
