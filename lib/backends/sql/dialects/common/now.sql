-- The database's clock, in milliseconds since 1970.
select kinetis_now() as now;
