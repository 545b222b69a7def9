update ackhub.jwt_key set revoked_at = now() where account_id = $1 and key_id = $2 and revoked_at is null
