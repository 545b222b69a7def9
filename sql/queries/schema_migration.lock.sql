-- Migrators take turns, and makers of partitions wait: two that change one table's catalogue rows would fail each other (tuple
-- concurrently updated).
set local lock_timeout = 0;
select pg_advisory_xact_lock(hashtext('ackhub.schema_migration'));
select pg_advisory_xact_lock(hashtext('ackhub.partitions'));
