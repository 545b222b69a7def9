select campaign_id, resource_id, subscription_id, sent_at, sent_at_nanos, launched_at, launched_at_nanos, channel, provider,
    is_test, privacy, acked_at, opened_at, profile_id
from ackhub.message
where account_id = $1 and message_key = $2
