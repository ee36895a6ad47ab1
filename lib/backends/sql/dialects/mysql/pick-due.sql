-- Rows of a queue that are due in this state, oldest first; what another promoter has in hand is left to it.
select seq from kinetis_queue_jobs
where queue = :queue and state = :state and due_at <= kinetis_now()
order by due_at
limit :limit
for update skip locked;
