-- Changes nothing: fails where the user may not reserve and settle.
update kinetis_queue_jobs set state = state where 1 = 0;
