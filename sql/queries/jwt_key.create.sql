insert into ackhub.jwt_key (account_id, key_id, algorithm, material, audience, issuer, name)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (account_id, key_id) do nothing
