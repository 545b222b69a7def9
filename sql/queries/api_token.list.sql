select token_id, account_id, array_to_string(scopes, ',') as scopes, name, created_at, revoked_at
from ackhub.api_token
where $1::bigint is null or account_id = $1
order by account_id, token_id
