-- Discards delayed jobs, due or not, in a bounded step; reservations stay, expired ones too.
delete from kinetis_queue_jobs where queue = :queue and state = 1 limit :limit;
