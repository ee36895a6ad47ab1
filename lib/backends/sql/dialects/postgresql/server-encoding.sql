-- The encoding in which the database keeps text.
select current_setting('server_encoding') as encoding;
