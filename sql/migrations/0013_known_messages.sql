-- Which messages of a batch are known, so that only those are upserted: COPY writes new rows at half of an upsert's price.
--
-- Made anew at each call, so that the planner knows the first and the last key: the days outside them are neither planned nor
-- locked. The limit keeps the join's order: each key looks into the index. A planner that believes the statistics of a day that
-- began a moment ago would begin with its messages, and search the keys for each.
create function ackhub.known_messages(message_keys uuid[]) returns table (place bigint, account_id bigint, state smallint)
    language plpgsql stable strict
    set enable_seqscan = off
    set enable_bitmapscan = off
    as $$
begin
    return query execute
        'select k.place, known.account_id, known.state from unnest($1) with ordinality as k (key, place)
        cross join lateral (
            select m.account_id, m.state from ackhub.message m where m.message_key = k.key and m.message_key between $2 and $3 limit 1
        ) as known'
        using message_keys, message_keys[1], message_keys[cardinality(message_keys)];
end $$;
comment on function ackhub.known_messages is
    'Of the message keys given in ascending order those that ackhub.message has: place (from 1), account, state.';
