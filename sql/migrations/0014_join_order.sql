-- The functions of 0009 and 0012 anew, with their joins in an order that no planner can turn around: the limit keeps each look
-- inside its key. Statistics that are older than a day's first messages make the planner expect next to none in a range of keys. It
-- then began with the messages and searched all keys for each: 15 s for 10 000 keys among 150 000 messages, instead of 0.04.
create or replace function ackhub.messages_by_keys(account_ids bigint[], message_keys uuid[]) returns setof ackhub.message
    language plpgsql stable strict
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    first_key uuid;
    last_key uuid;
begin
    select k.key into first_key from unnest(message_keys) as k (key) order by k.key limit 1;
    select k.key into last_key from unnest(message_keys) as k (key) order by k.key desc limit 1;
    return query execute
        'select found.* from unnest($1, $2) as k (account_id, message_key)
        cross join lateral (
            select m.* from ackhub.message m
            where m.account_id = k.account_id and m.message_key = k.message_key and m.message_key between $3 and $4
            limit 1
        ) as found'
        using account_ids, message_keys, first_key, last_key;
end $$;

create or replace function ackhub.stored_reports(
    account_ids bigint[], message_keys uuid[], kinds smallint[], reports uuid[], since timestamptz[]
) returns setof bigint
    language plpgsql stable strict
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
declare
    oldest constant timestamptz := (select min(at) from unnest(since) as s (at));
begin
    return query execute
        'select k.place
        from unnest($1, $2, $3, $4, $5) with ordinality as k (account_id, message_key, kind, report, since, place)
        cross join lateral (
            select from ackhub.event_log e
            where e.account_id = k.account_id and e.message_key = k.message_key and e.kind = k.kind
                and e.report = k.report and e.received_at >= k.since and e.received_at >= $6
            limit 1
        ) as stored'
        using account_ids, message_keys, kinds, reports, since, oldest;
end $$;
