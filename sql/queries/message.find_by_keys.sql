-- Those of the messages with accounts $1 and keys $2, place by place, that are there.
select account_id, campaign_id, resource_id, subscription_id, profile_id, sent_at, sent_at_nanos, launched_at, launched_at_nanos,
    channel, provider, privacy, is_test, message_key
from ackhub.messages_by_keys($1, $2)
