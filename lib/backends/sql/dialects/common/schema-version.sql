-- Version of the tables. Fails where there are none.
select max(version) as version from kinetis_queue_schema;
