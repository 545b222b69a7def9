-- $5 with test sends. How many counters the launch has; the first and the last bucket in which one of its messages was sent,
-- delivered or opened, null where none was. Repeats alone do not stretch a launch.
select count(*), min(bucket_at) filter (where counts_messages), max(bucket_at) filter (where counts_messages)
from (
    select bucket_at, (not is_test or $5::boolean) and (sent, acked, derived, opened) <> (0, 0, 0, 0) as counts_messages
    from ackhub.launch_bucket
    where account_id = $1 and campaign_id = $2 and launched_at = $3 and launched_at_nanos = $4
) b
