-- Adds a batch's sums. In key order, so that two loaders never wait for each other in a circle.
insert into ackhub.launch_bucket as t (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider,
    is_test, class, bucket_at, sent, acked, derived, opened, acks_total, opens_total)
select account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider,
    is_test <> 0, class, bucket_at, sent, acked, derived, opened, acks_total, opens_total
from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::smallint[], $5::bigint[], $6::smallint[], $7::smallint[],
    $8::smallint[], $9::smallint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[],
    $16::timestamptz[])
    as b (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class,
        sent, acked, derived, opened, acks_total, opens_total, bucket_at)
order by account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class, bucket_at
on conflict (account_id, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, class, bucket_at)
do update set sent = t.sent + excluded.sent, acked = t.acked + excluded.acked, derived = t.derived + excluded.derived,
    opened = t.opened + excluded.opened, acks_total = t.acks_total + excluded.acks_total,
    opens_total = t.opens_total + excluded.opens_total
