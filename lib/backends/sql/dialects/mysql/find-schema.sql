-- A row where there is a table of that name.
select 1 as present from information_schema.tables where table_schema = coalesce(:schema, database()) and table_name = :table;
