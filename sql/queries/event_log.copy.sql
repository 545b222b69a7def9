copy ackhub.event_log (account_id, message_key, received_at, device_at, kind, dialect, class, flags, is_first, address, user_agent,
    report)
from stdin (format binary)
