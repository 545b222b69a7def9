-- $5 with test sends. $6 the width as date_trunc knows it; intervals begin in UTC.
select date_trunc($6::text, bucket_at, 'UTC') as begins_at, provider, sum(sent)::bigint as sent, sum(acked)::bigint as acked,
    sum(derived)::bigint as derived, sum(opened)::bigint as opened, sum(acks_total)::bigint as acks_total,
    coalesce(sum(opens_total) filter (where ackhub.class_counts_opens(class)), 0)::bigint as opens_total
from ackhub.launch_bucket
where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
    and (not is_test or $5::boolean)
group by begins_at, provider
order by begins_at, provider
