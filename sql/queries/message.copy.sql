copy ackhub.message (account_id, message_key, campaign_id, resource_id, subscription_id, profile_id, sent_at, launched_at,
    acked_at, opened_at, sent_at_nanos, launched_at_nanos, channel, provider, privacy, state, is_test)
from stdin (format binary)
