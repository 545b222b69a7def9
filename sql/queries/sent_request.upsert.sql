-- The greatest count of each request in the batch, in key order. Returned: the place in the arrays (from 1) and what was
-- counted before, for those that grew.
with batch as (
    select * from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::timestamptz[], $5::smallint[], $6::bigint[], $7::smallint[],
        $8::smallint[], $9::smallint[], $10::bigint[]) with ordinality
        as b (account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test, counted, place)
), grown as (
    insert into ackhub.sent_request as r (account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel,
        provider, is_test, counted, counted_before)
    select account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test <> 0, counted, 0
    from batch
    order by account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test
    on conflict (account_id, request, campaign_id, launched_at, launched_at_nanos, resource_id, channel, provider, is_test)
    do update set counted = excluded.counted, counted_before = r.counted, updated_at = now()
    where excluded.counted > r.counted
    returning *
)
select batch.place, grown.counted_before
from grown
join batch on batch.account_id = grown.account_id and batch.request = grown.request
    and batch.campaign_id = grown.campaign_id and batch.launched_at = grown.launched_at
    and batch.launched_at_nanos = grown.launched_at_nanos and batch.resource_id = grown.resource_id
    and batch.channel = grown.channel and batch.provider = grown.provider and (batch.is_test <> 0) = grown.is_test
