-- Tells listening workers of a queue; within a transaction they hear of it at the commit.
select pg_notify(:channel, :queue);
