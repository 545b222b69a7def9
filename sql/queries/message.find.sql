select account_id, campaign_id, resource_id, subscription_id, profile_id, sent_at, sent_at_nanos, launched_at, launched_at_nanos,
    channel, provider, privacy, is_test, acked_at, opened_at
from ackhub.message
where account_id = $1 and message_key = $2
