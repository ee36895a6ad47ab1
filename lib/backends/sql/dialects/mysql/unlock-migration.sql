-- Lets other processes migrate.
select release_lock(:name) as released;
