-- A row where there is a table of that name.
select 1 from sqlite_schema where type = 'table' and name = :table;
