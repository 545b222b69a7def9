-- Events that name their message by its key alone, of messages that are not known (yet). The hub that minted the message may be
-- behind with loading, so what was answered is kept here until its message comes; loaders look for it every few seconds. An event
-- whose message never comes counts nowhere, and is dropped after 31 days.
--
-- A table of the hub's own, like those of 0006: kept whole, read without knowing an account. In order of the key a message's
-- events are neighbours, and a look through a part of it continues where the last one ended.
create table ackhub.unmatched_event (
    account_id bigint not null,
    message_key uuid not null,
    event_id bigint generated always as identity,
    received_at timestamptz not null,
    record bytea not null,
    constraint unmatched_event_pkey primary key (account_id, message_key, event_id)
);

create index unmatched_event_received_at_brin on ackhub.unmatched_event using brin (received_at);

comment on table ackhub.unmatched_event is
    'Events that wait for their message: it is named by its key alone, and not in ackhub.message. Counted nowhere until it is.';
comment on column ackhub.unmatched_event.account_id is 'The tenant.';
comment on column ackhub.unmatched_event.message_key is 'The message that the event names.';
comment on column ackhub.unmatched_event.event_id is 'Tells a message''s events apart, in order of arrival.';
comment on column ackhub.unmatched_event.received_at is 'When a hub received it. Dropped after 31 days.';
comment on column ackhub.unmatched_event.record is
    'The spool record, byte for byte: client address and user agent are whole in it, for the message''s privacy is not known.';

-- Made anew at each call, so that the planner knows the first and the last key: the days outside them are neither planned nor
-- locked. Few keys among many messages: a nested loop over the index, which looks into the key's own partition only. A planner that
-- does not know so (it adds up the cost of all partitions) would hash the whole table.
create function ackhub.messages_by_keys(account_ids bigint[], message_keys uuid[]) returns setof ackhub.message
    language plpgsql stable strict
    set enable_hashjoin = off
    set enable_mergejoin = off
    as $$
declare
    first_key uuid;
    last_key uuid;
begin
    select k.key into first_key from unnest(message_keys) as k (key) order by k.key limit 1;
    select k.key into last_key from unnest(message_keys) as k (key) order by k.key desc limit 1;
    return query execute
        'select m.* from unnest($1, $2) as k (account_id, message_key)
        join ackhub.message m on m.account_id = k.account_id and m.message_key = k.message_key
        where m.message_key between $3 and $4'
        using account_ids, message_keys, first_key, last_key;
end $$;
comment on function ackhub.messages_by_keys is 'The messages of accounts and keys, place by place; those that are not known are left out.';

comment on column ackhub.quarantine.record_index is
    'Its place in that batch, from 0; below 0 a record that was taken from ackhub.unmatched_event.';
