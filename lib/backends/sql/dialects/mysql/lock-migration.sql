-- Waits for other processes that migrate.
select get_lock(:name, :seconds) as held;
