-- $2, $3 from and $4, $5 to: launch times, from inclusive, to exclusive, null for none. $6 with test sends. $7 sort, $8 descending.
-- $9, $10 sort value and campaign of the page before. $11 rows.
-- Sort values are numeric: launch times are unsigned 64 bit nanoseconds. Negated for descending, so that one
-- comparison serves both orders; campaigns of one value are in ascending order in both.
with totals as (
    select campaign_id, count(distinct (launched_at, launched_at_nanos)) as launches,
        min(ackhub.unix_nanoseconds(launched_at, launched_at_nanos)) as first_launched_at,
        max(ackhub.unix_nanoseconds(launched_at, launched_at_nanos)) as last_launched_at,
        sum(sent)::bigint as sent, sum(acked)::bigint as acked, sum(derived)::bigint as derived, sum(opened)::bigint as opened,
        sum(acks_total)::bigint as acks_total,
        coalesce(sum(opens_total) filter (where ackhub.class_counts_opens(class)), 0)::bigint as opens_total
    from ackhub.launch_total
    where account_id = $1 and (not is_test or $6::boolean)
        and ($2::timestamptz is null or (launched_at, launched_at_nanos) >= ($2::timestamptz, $3::smallint))
        and ($4::timestamptz is null or (launched_at, launched_at_nanos) < ($4::timestamptz, $5::smallint))
    group by campaign_id
), sorted as (
    select *, case when $8::boolean then -1 else 1 end * case $7::text
        when 'last_launched_at' then last_launched_at
        when 'campaign_id' then campaign_id
        when 'sent' then sent
        when 'delivered' then acked + derived
        when 'opened' then opened
    end as sort_value
    from totals
)
select s.campaign_id, n.name, s.launches, s.first_launched_at::text, s.last_launched_at::text,
    s.sent, s.acked, s.derived, s.opened, s.acks_total, s.opens_total
from sorted s
left join ackhub.name n on n.account_id = $1 and n.kind = 'campaign' and n.id = s.campaign_id
where $9::text is null
    or (s.sort_value, s.campaign_id) > (case when $8::boolean then -1 else 1 end * $9::text::numeric, $10::bigint)
order by s.sort_value, s.campaign_id
limit $11::bigint
