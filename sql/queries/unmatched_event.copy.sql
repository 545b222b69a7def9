copy ackhub.unmatched_event (account_id, message_key, received_at, record) from stdin (format binary)
