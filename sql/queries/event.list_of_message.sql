select kind, is_first, received_at, device_at, dialect, class, flags, host(address) as address, user_agent
from ackhub.event_log
where account_id = $1 and message_key = $2
order by received_at, kind, is_first desc
limit $3::bigint
