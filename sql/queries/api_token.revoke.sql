update ackhub.api_token set revoked_at = now() where token_id = $1 and revoked_at is null
