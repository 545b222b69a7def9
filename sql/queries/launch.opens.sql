-- Messages of a launch by the hour of UTC in which they were first opened: buckets are minutes or 15 minutes, so hours are exact sums.
-- $5 to $6: begins of buckets, the end exclusive. $7 with test sends. No row when nothing is known of the launch; one of nulls
-- when none of its messages was opened then.
with known as (
    select from ackhub.launch_total
    where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
    limit 1
), hours as (
    select date_trunc('hour', bucket_at, 'UTC') as begins_at, sum(opened)::bigint as opened
    from ackhub.launch_bucket
    where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
        and bucket_at >= $5 and bucket_at < $6 and (not is_test or $7::boolean)
    group by begins_at
)
select hours.begins_at, hours.opened
from known
left join hours on true
