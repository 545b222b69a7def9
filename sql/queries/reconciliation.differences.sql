-- $1 account, null for all; $2 rows at most. Recounts the raw events by message and compares with what was counted as they came:
-- launch_total, the sum of launch_bucket, the first flags of events, the state of messages.
--
-- How many messages were acked or opened follows from the events alone. Only where a message's events of one kind have several
-- classes does the recount ask which of them was flagged first, for the class; a flag that is missing there takes the least.
-- Events whose message is gone belong to no launch any more: they stand under campaign 0, launched at 1970, as counted nowhere.
with events as materialized (
    select account_id, message_key, kind, class, count(*) as events, count(*) filter (where is_first) as firsts
    from ackhub.event_log
    where $1::bigint is null or account_id = $1
    group by account_id, message_key, kind, class
), messages as (
    select account_id, message_key,
        coalesce(min(class) filter (where kind = 1 and firsts > 0), min(class) filter (where kind = 1)) as ack_class,
        coalesce(min(class) filter (where kind = 2 and firsts > 0 and ackhub.class_counts_opens(class)),
            min(class) filter (where kind = 2 and ackhub.class_counts_opens(class))) as open_class
    from events
    group by account_id, message_key
), parts as (
    select m.account_id, m.campaign_id, m.launched_at, m.launched_at_nanos, m.resource_id, m.channel, m.provider, m.is_test,
        part.class, part.acked, part.derived, part.opened, 0::bigint as acks_total, 0::bigint as opens_total,
        0::bigint as first_acks, 0::bigint as first_opens, part.acked_state, part.opened_state
    from ackhub.message m
    left join messages x on x.account_id = m.account_id and x.message_key = m.message_key
    cross join lateral (values
        (x.ack_class, (x.ack_class is not null)::int, 0, 0, m.state & 1, 0),
        (x.open_class, 0, (x.open_class is not null and x.ack_class is null)::int, (x.open_class is not null)::int, 0, 0),
        ((m.state >> 2 & 7)::smallint, 0, 0, 0, 0, m.state >> 1 & 1)
    ) as part (class, acked, derived, opened, acked_state, opened_state)
    where $1::bigint is null or m.account_id = $1
    union all
    select e.account_id, coalesce(m.campaign_id, 0), coalesce(m.launched_at, 'epoch'), coalesce(m.launched_at_nanos, 0::smallint),
        coalesce(m.resource_id, 0), coalesce(m.channel, 0::smallint), coalesce(m.provider, 0::smallint),
        coalesce(m.is_test, false), e.class, 0, 0, 0,
        case when e.kind = 1 then e.events else 0 end, case when e.kind = 2 then e.events else 0 end,
        case when e.kind = 1 then e.firsts else 0 end, case when e.kind = 2 then e.firsts else 0 end, 0, 0
    from events e
    left join ackhub.message m on m.account_id = e.account_id and m.message_key = e.message_key
), recount as (
    select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test,
        coalesce(class, 0::smallint) as class, sum(acked) as acked, sum(derived) as derived, sum(opened) as opened,
        sum(acks_total) as acks_total, sum(opens_total) as opens_total, sum(first_acks) as first_acks,
        sum(first_opens) as first_opens, sum(acked_state) as acked_state, sum(opened_state) as opened_state
    from parts
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
), buckets as (
    select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class,
        sum(sent) as sent, sum(acked) as acked, sum(derived) as derived, sum(opened) as opened,
        sum(acks_total) as acks_total, sum(opens_total) as opens_total
    from ackhub.launch_bucket
    where $1::bigint is null or account_id = $1
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
), totals as (
    select * from ackhub.launch_total where $1::bigint is null or account_id = $1
), compared as (
    select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class,
        counter.name, coalesce(counter.counted, 0) as counted, coalesce(counter.recounted, 0) as recounted
    from totals t
    full join recount r using (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class)
    full join buckets b using (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class)
    cross join lateral (values
        ('acked', t.acked, r.acked),
        ('derived', t.derived, r.derived),
        ('opened', t.opened, r.opened),
        ('acks_total', t.acks_total, r.acks_total),
        ('opens_total', t.opens_total, r.opens_total),
        ('first acks flagged', r.first_acks, r.acked),
        ('first opens flagged', r.first_opens, r.opened),
        ('acked in messages', r.acked_state, r.acked),
        ('opened in messages', r.opened_state, r.opened),
        ('sent in total and buckets', t.sent, b.sent),
        ('acked in buckets', b.acked, r.acked),
        ('derived in buckets', b.derived, r.derived),
        ('opened in buckets', b.opened, r.opened),
        ('acks_total in buckets', b.acks_total, r.acks_total),
        ('opens_total in buckets', b.opens_total, r.opens_total)
    ) as counter (name, counted, recounted)
)
select account_id, campaign_id, launched_at, launched_at_nanos,
    format('provider %s, class %s, resource %s, channel %s%s, %s', provider, ackhub.class_name(class), resource_id,
        ackhub.channel_name(channel), case when is_test then ', test' else '' end, name) as counter,
    counted::bigint, recounted::bigint
from compared
where counted <> recounted
order by account_id, campaign_id, launched_at, launched_at_nanos, counter
limit $2::bigint
