-- The batch's distinct messages, in key order, so that two loaders never wait for each other in a circle. A message gets what it
-- does not have yet; `state` keeps what it had before, so a returned row tells exactly what was new. A message to which
-- the batch adds nothing is not returned, but its row is locked like the others: until the transaction ends, no other loader adds
-- events to any message of the batch.
insert into ackhub.message as m (account_id, message_key, campaign_id, resource_id, subscription_id, profile_id, sent_at,
    launched_at, acked_at, opened_at, sent_at_nanos, launched_at_nanos, channel, provider, privacy, state, is_test)
select account_id, message_key, campaign_id, resource_id, subscription_id, profile_id, sent_at,
    launched_at, acked_at, opened_at, sent_at_nanos, launched_at_nanos, channel, provider, privacy, state, is_test
from pg_temp.batch_message
order by message_key, account_id
on conflict (account_id, message_key) do update set
    acked_at = coalesce(m.acked_at, excluded.acked_at),
    opened_at = coalesce(m.opened_at, excluded.opened_at),
    state = (m.state & 31) << 8 | (m.state & 31) | case when m.state & 2 = 0 then excluded.state else excluded.state & 1 end
where excluded.state & ~m.state & 3 <> 0
returning m.message_key, m.state, m.opened_at
