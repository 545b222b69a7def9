insert into ackhub.api_token (account_id, digest, scopes, name)
values ($1, sha256(convert_to($2, 'UTF8')), $3::text[], $4)
