-- A report that names itself is stored once: clients repeat one whose answer was lost, hours and days later and at another hub.
--
-- Its index holds named reports only: a link's event has none and pays nothing. Without it a report would be compared with every
-- event of its message, and one message with very many would hold up the loading of all.
alter table ackhub.event_log add column report uuid;

create index event_log_report on ackhub.event_log (message_key, report) where report is not null;

comment on column ackhub.event_log.report is
    'Name of the report, by which its repeats are known; null where the dialect (links: always) can''t tell a repeat from a second event.';

-- Made anew at each call, so that the planner knows the oldest receipt: partitions before it are neither planned nor locked.
-- Few events among many: a nested loop over the index. Each turn of it looks into the days since its own `since` only, which a
-- planner that adds up the cost of all partitions does not see; it would hash or read them whole.
create function ackhub.stored_reports(
    account_ids bigint[], message_keys uuid[], kinds smallint[], reports uuid[], since timestamptz[]
) returns setof bigint
    language plpgsql stable strict
    set enable_hashjoin = off
    set enable_mergejoin = off
    set enable_seqscan = off
    as $$
declare
    oldest constant timestamptz := (select min(at) from unnest(since) as s (at));
begin
    return query execute
        'select k.place
        from unnest($1, $2, $3, $4, $5) with ordinality as k (account_id, message_key, kind, report, since, place)
        join ackhub.event_log e on e.account_id = k.account_id and e.message_key = k.message_key and e.kind = k.kind
            and e.report = k.report and e.received_at >= k.since
        where e.received_at >= $6'
        using account_ids, message_keys, kinds, reports, since, oldest;
end $$;
comment on function ackhub.stored_reports is
    'Of the reports given place by place, the places (from 1) of those that were stored with a receipt at or after `since`.';
