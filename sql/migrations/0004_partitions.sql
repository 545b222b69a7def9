-- Making a day's partition. A table is made aside and attached: attaching takes a lock on the parent that readers and writers
-- do not notice (SHARE UPDATE EXCLUSIVE), while CREATE TABLE … PARTITION OF would stop them all.
-- Makers queue on an advisory lock, so that two hubs at once make it once; what another one made meanwhile is looked up in
-- pg_class, because to_regclass may answer from a cache. Each call is one short transaction of its own, and gives up after a
-- second's wait for any lock (SQLSTATE 55P03) rather than have loaders queue behind it.

create function ackhub.ensure_event_day(day date) returns boolean
    language plpgsql
    set lock_timeout = '1s'
    as $$
declare
    partition constant name := 'event_log_' || to_char(day, 'YYYYMMDD');
begin
    if exists (select from pg_class where relnamespace = 'ackhub'::regnamespace and relname = partition) then
        return false;
    end if;
    perform pg_advisory_xact_lock(hashtext('ackhub.partitions'));
    if exists (select from pg_class where relnamespace = 'ackhub'::regnamespace and relname = partition) then
        return false;
    end if;
    execute format('create table ackhub.%I (like ackhub.event_log including defaults including storage)', partition);
    execute format('alter table ackhub.event_log attach partition ackhub.%I for values from (%L) to (%L)', partition,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    return true;
end $$;
comment on function ackhub.ensure_event_day is
    'Makes the partition of ackhub.event_log for a UTC day of receipt; false when it is there already.';

-- The day's rows move out of the default partition first, in the same transaction. The default is locked before that, so that no
-- row of the day can enter it between the move and the attach. Loaders that need the default wait for this moment only. A
-- caller that had to give up tries later: until then the default serves.
create function ackhub.ensure_message_day(day date) returns boolean
    language plpgsql
    set lock_timeout = '1s'
    as $$
declare
    partition constant name := 'message_' || to_char(day, 'YYYYMMDD');
    first_key constant uuid := ackhub.message_key_floor(day::timestamp at time zone 'UTC');
    end_key constant uuid := ackhub.message_key_floor((day + 1)::timestamp at time zone 'UTC');
begin
    if exists (select from pg_class where relnamespace = 'ackhub'::regnamespace and relname = partition) then
        return false;
    end if;
    perform pg_advisory_xact_lock(hashtext('ackhub.partitions'));
    if exists (select from pg_class where relnamespace = 'ackhub'::regnamespace and relname = partition) then
        return false;
    end if;
    lock table ackhub.message_default in access exclusive mode;
    execute format('create table ackhub.%I (like ackhub.message including defaults including storage) with (fillfactor = 90)',
        partition);
    execute format('with moved as (delete from ackhub.message_default where message_key >= %L and message_key < %L returning *)
        insert into ackhub.%I select * from moved', first_key, end_key, partition);
    execute format('alter table ackhub.message attach partition ackhub.%I for values from (%L) to (%L)', partition,
        first_key, end_key);
    return true;
end $$;
comment on function ackhub.ensure_message_day is
    'Makes the partition of ackhub.message for a UTC day of send time and moves the day''s rows into it; false when it is there already.';
