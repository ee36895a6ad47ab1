-- Whether there is a table of that name, with its schema where it is in one that the connection does not look in.
select to_regclass(:table) is not null as present;
