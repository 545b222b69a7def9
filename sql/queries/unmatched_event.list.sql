-- The $4 parked events after account $1, key $2, event $3, in the order of the primary key.
select account_id, message_key, event_id, received_at
from ackhub.unmatched_event
where (account_id, message_key, event_id) > ($1::bigint, $2::uuid, $3::bigint)
order by account_id, message_key, event_id
limit $4::bigint
