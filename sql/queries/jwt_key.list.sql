select account_id, key_id, algorithm, audience, issuer, name, created_at, revoked_at
from ackhub.jwt_key
where $1::bigint is null or account_id = $1
order by account_id, created_at, key_id
