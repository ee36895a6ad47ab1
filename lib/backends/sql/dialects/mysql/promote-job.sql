-- Makes a delayed job ready now. The order of the assignments matters: each sees those before it.
update kinetis_queue_jobs
set
  state = 0,
  serial = case when serial between 0 and 9007199254740990 then serial + 1 else serial end,
  due_at = kinetis_now()
where id = :id and queue = :queue and state = 1 and due_at > kinetis_now();
