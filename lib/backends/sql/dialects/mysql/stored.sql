-- Which of these jobs are there.
select id from kinetis_queue_jobs where id in (:ids);
