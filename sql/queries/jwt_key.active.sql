select key_id, algorithm, material, audience, issuer
from ackhub.jwt_key
where account_id = $1 and revoked_at is null
order by created_at desc, key_id
limit $2
