select account_id, array_to_string(scopes, ',') as scopes
from ackhub.api_token
where digest = sha256(convert_to($1, 'UTF8')) and revoked_at is null
