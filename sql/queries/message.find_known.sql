select place, account_id, state from ackhub.known_messages($1)
